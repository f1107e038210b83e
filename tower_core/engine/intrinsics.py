"""Bit operations and memory stores that Numba lacks: bit counts, raw addresses, vector stores.

Stores take a raw address (int64) and need no alignment. LLVM can't prove that a buffer and a record don't overlap, so
plain copy loops stay scalar; these intrinsics write 64 bytes at a time. Integer constants combined with uint64 must be
typed: ``uint64 + 1`` is a float in NumPy's rules and an int64 in Numba's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from tower_core.engine.compiling import jit
from tower_core.engine.deferred import Deferred, Later

types: Any = Later("numba.core.types")
cgutils: Any = Later("numba.core.cgutils")
carray: Any = Deferred(lambda: Later("numba").carray)
"""Numba's view of memory as an array: ``carray(pointer(address), shape, dtype)``."""


def intrinsic(function: Callable[..., Any]) -> Any:
    """Numba's decorator of intrinsics."""
    return Deferred(lambda: Later("numba.extending").intrinsic(function), function)


U64 = np.uint64
U0, U1 = U64(0), U64(1)

_I1, _I8, _I16, _I32, _I64 = (ir.IntType(width) for width in (1, 8, 16, 32, 64))
_FOUR = ir.VectorType(_I32, 4)


def _vec(element: ir.Type, values: list[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(element, len(values)), values)


def _store(builder: Any, value: Any, address: Any) -> None:
    builder.store(value, builder.inttoptr(address, ir.PointerType(value.type))).align = 1


def _load(builder: Any, address: Any, kind: ir.Type) -> Any:
    load = builder.load(builder.inttoptr(address, ir.PointerType(kind)))
    load.align = 1
    return load


def _load64(builder: Any, address: Any) -> Any:
    """64 bytes at *address*."""
    return _load(builder, address, ir.VectorType(_I8, 64))


def _splat(builder: Any, value: Any) -> Any:
    """A vector of four copies of *value*."""
    one = builder.insert_element(ir.Constant(ir.VectorType(value.type, 4), ir.Undefined), value, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, one, _vec(_I32, [0] * 4))


def _four(builder: Any, vector: Any) -> Any:
    """The lowest bytes of a vector of four, packed into the low half of a word."""
    return builder.zext(builder.bitcast(builder.trunc(vector, ir.VectorType(_I8, 4)), _I32), _I64)


@intrinsic
def popcount(typingctx: Any, x: Any) -> Any:
    """Number of one bits of a uint64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def count_trailing_zeros(typingctx: Any, x: Any) -> Any:
    """Index of the lowest one bit of a non-zero uint64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(_I1, 0))

    return types.int64(types.uint64), generate


@intrinsic
def nth_bit(typingctx: Any, word: Any, n: Any) -> Any:
    """Index of the one bit of *word* that has *n* one bits below it, without branches (machine_code.py)."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64, _I64])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "towers_nth_bit"), args)

    return types.int64(types.uint64, types.int64), generate


@intrinsic
def record_at(typingctx: Any, address: Any, dtype: Any) -> Any:
    """The record of *dtype* at *address*, like ``array[i]`` but without an array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return dtype.dtype(types.int64, dtype), generate


@intrinsic
def get_int(typingctx: Any, address: Any) -> Any:
    """The int64 at *address*."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], _I64.as_pointer()))

    return types.int64(types.int64), generate


@intrinsic
def prefetch(typingctx: Any, address: Any) -> Any:
    """Prefetch the cache line at *address*; any address is safe."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        flags = [ir.Constant(_I32, flag) for flag in (1, 3, 1)]  # write, high locality, data
        builder.call(function, [builder.inttoptr(args[0], _I8.as_pointer()), *flags])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def pointer(typingctx: Any, address: Any) -> Any:
    """An address as a pointer that ``numba.carray`` accepts."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], _I8.as_pointer())

    return types.voidptr(types.int64), generate


@intrinsic
def address_of(typingctx: Any, array: Any) -> Any:
    """Address of the first element of an array or array field."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(context.make_array(signature.args[0])(context, builder, args[0]).data, _I64)

    return types.int64(array), generate


@intrinsic
def call_address(typingctx: Any, address: Any, a: Any, b: Any, c: Any) -> Any:
    """Call the compiled function ``int64 f(int64, int64, int64)`` at *address*."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64, _I64, _I64])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    i = types.int64
    return i(i, i, i, i), generate


@intrinsic
def call_entry(typingctx: Any, address: Any, op: Any, record: Any, x: Any, y: Any) -> Any:
    """Call a game's compiled entry (operations: tower_core.engine.loops) at *address*."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_I64, [_I64] * 4)
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    i = types.int64
    return i(i, i, i, i, i), generate


@intrinsic
def store_bits(typingctx: Any, address: Any, bits: Any) -> Any:
    """Write the 64 bits of *bits*, lowest first, as 64 bytes of 0 or 1 (machine_code.py)."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [_I64, _I64])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "towers_store_bits"), args)
        return context.get_dummy_value()

    return types.void(types.int64, types.uint64), generate


@intrinsic
def store_copy(typingctx: Any, address: Any, source: Any) -> Any:
    """Copy 64 bytes from the address *source*."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(builder, _load64(builder, args[1]), args[0])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def store_product(typingctx: Any, address: Any, a: Any, b: Any) -> Any:
    """Write the 64 products of the bytes at *a* and *b*, at most 255 each."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.VectorType(_I16, 64)
        product = builder.mul(
            builder.zext(_load64(builder, args[1]), wide), builder.zext(_load64(builder, args[2]), wide)
        )
        limit = _vec(_I16, [255] * 64)
        product = builder.select(builder.icmp_unsigned("<", product, limit), product, limit)
        _store(builder, builder.trunc(product, ir.VectorType(_I8, 64)), args[0])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


@intrinsic
def store_zero(typingctx: Any, address: Any) -> Any:
    """Write 64 zero bytes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(builder, ir.Constant(ir.VectorType(_I8, 64), None), args[0])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def store_byte(typingctx: Any, address: Any, value: Any) -> Any:
    """Write the lowest byte of *value*."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(builder, builder.trunc(args[1], _I8), args[0])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def store_eight(typingctx: Any, address: Any, source: Any) -> Any:
    """Copy 8 bytes from the address *source*."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        load = builder.load(builder.inttoptr(args[1], ir.PointerType(_I64)))
        load.align = 1
        _store(builder, load, args[0])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def get_four(typingctx: Any, address: Any) -> Any:
    """The four bytes at *address*, packed into the low half of a word."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.zext(_load(builder, args[0], _I32), _I64)

    return types.uint64(types.int64), generate


@intrinsic
def low_four(typingctx: Any, address: Any) -> Any:
    """The lowest bytes of the four int32 at *address*, packed like :func:`get_four`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _four(builder, _load(builder, args[0], _FOUR))

    return types.uint64(types.int64), generate


@intrinsic
def clipped_four(typingctx: Any, address: Any, base: Any, factor: Any, shift: Any) -> Any:
    """``(base + factor * x) >> shift`` for the four int32 *x* at *address*, clipped to 0 … 255, as bytes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        base, factor, shift = (_splat(builder, builder.trunc(arg, _I32)) for arg in args[1:])
        value = builder.add(base, builder.mul(factor, _load(builder, args[0], _FOUR)))
        value = builder.ashr(value, shift)
        for limit, sign in ((_vec(_I32, [0] * 4), ">"), (_vec(_I32, [255] * 4), "<")):
            value = builder.select(builder.icmp_signed(sign, value, limit), value, limit)
        return _four(builder, value)

    i = types.int64
    return types.uint64(i, i, i, i), generate


@intrinsic
def count_four(typingctx: Any, address: Any) -> Any:
    """Bit counts of the four uint16 at *address*, as bytes."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.VectorType(_I16, 4)
        count = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), "llvm.ctpop.v4i16")
        return _four(builder, builder.call(count, [_load(builder, args[0], kind)]))

    return types.uint64(types.int64), generate


@intrinsic
def store_float(typingctx: Any, address: Any, value: Any) -> Any:
    """Write *value* as a float32."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(builder, builder.fptrunc(args[1], ir.FloatType()), args[0])
        return context.get_dummy_value()

    return types.void(types.int64, types.float64), generate


@intrinsic
def store_int(typingctx: Any, address: Any, value: Any) -> Any:
    """Write *value* as an int32."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(builder, builder.trunc(args[1], ir.IntType(32)), args[0])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def store_int64(typingctx: Any, address: Any, value: Any) -> Any:
    """Write *value* as an int64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _store(builder, args[1], args[0])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@jit
def smaller(a: Any, b: Any) -> Any:
    """The smaller of two integers (the builtin would be compiled for every use)."""
    return a if a < b else b


@jit
def larger(a: Any, b: Any) -> Any:
    return a if a > b else b


@jit
def store_clipped(address: Any, value: Any) -> None:
    """Write *value* clipped to 0 … 255 as one byte."""
    store_byte(address, smaller(larger(value, np.int64(0)), np.int64(255)))


@intrinsic
def bit(typingctx: Any, i: Any) -> Any:
    """The uint64 with only bit *i* set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.shl(ir.Constant(_I64, 1), args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def test_bit(typingctx: Any, word: Any, i: Any) -> Any:
    """Whether bit *i* of *word* (uint64) is set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.trunc(builder.lshr(args[0], args[1]), _I1)

    return types.boolean(types.uint64, types.uint64), generate


@jit
def store_flags(address: Any, bits: Any, count: Any) -> Any:
    """Write the lowest *count* bits of a word, lowest first, as bytes of 0 or 1; returns the address after them.

    Unlike :func:`store_bits`, it writes exactly *count* bytes, so rows of any size are safe.
    """
    for i in range(count):
        store_byte(address + i, np.int64(test_bit(bits, np.int64(i))))
    return address + count
