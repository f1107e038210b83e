"""Bit operations and memory stores that Numba lacks: bit counts, raw addresses, vector stores.

Stores take a raw address (int64) and need no alignment. LLVM can't prove that a buffer and a record don't overlap, so
plain copy loops stay scalar; these intrinsics write 64 bytes at a time. Integer constants combined with uint64 must be
typed: ``uint64 + 1`` is a float in NumPy's rules and an int64 in Numba's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from llvmlite import ir

from tower_core.engine import machine_code
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
_INT, _WORD, _NOTHING = "int64", "uint64", "void"


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


def _emitted(result: str, *arguments: str) -> Callable[[Callable[..., Any]], Any]:
    """An intrinsic from *arguments* to *result* (names of types), whose LLVM code ``emit(builder, *values)`` generates."""

    def decorate(emit: Callable[..., Any]) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            value = emit(builder, *values)
            return context.get_dummy_value() if value is None else value

        @wraps(emit)  # with its signature, which Numba inspects
        def define(typingctx: Any, *given: Any) -> Any:
            return getattr(types, result)(*(getattr(types, name) for name in arguments)), generate

        return intrinsic(define)

    return decorate


@_emitted(_INT, _WORD)
def popcount(builder: Any, x: Any) -> Any:
    """Number of one bits of a uint64."""
    return builder.ctpop(x)


@_emitted(_INT, _WORD)
def count_trailing_zeros(builder: Any, x: Any) -> Any:
    """Index of the lowest one bit of a non-zero uint64."""
    return builder.cttz(x, ir.Constant(_I1, 0))


@_emitted(_INT, _WORD, _INT)
def nth_bit(builder: Any, word: Any, n: Any) -> Any:
    """Index of the one bit of *word* that has *n* one bits below it, without branches (machine_code.py)."""
    machine_code.provide()
    kind = ir.FunctionType(_I64, [_I64, _I64])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, "towers_nth_bit"), [word, n])


@intrinsic
def record_at(typingctx: Any, address: Any, dtype: Any) -> Any:
    """The record of *dtype* at *address*, like ``array[i]`` but without an array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return dtype.dtype(types.int64, dtype), generate


@_emitted(_INT, _INT)
def get_int(builder: Any, address: Any) -> Any:
    """The int64 at *address*."""
    return builder.load(builder.inttoptr(address, _I64.as_pointer()))


@_emitted(_NOTHING, _INT)
def prefetch(builder: Any, address: Any) -> None:
    """Prefetch the cache line at *address*; any address is safe."""
    kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    flags = [ir.Constant(_I32, flag) for flag in (1, 3, 1)]  # write, high locality, data
    builder.call(function, [builder.inttoptr(address, _I8.as_pointer()), *flags])


@_emitted("voidptr", _INT)
def pointer(builder: Any, address: Any) -> Any:
    """An address as a pointer that ``numba.carray`` accepts."""
    return builder.inttoptr(address, _I8.as_pointer())


@intrinsic
def address_of(typingctx: Any, array: Any) -> Any:
    """Address of the first element of an array or array field."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(context.make_array(signature.args[0])(context, builder, args[0]).data, _I64)

    return types.int64(array), generate


@_emitted(_INT, _INT, _INT, _INT, _INT)
def call_address(builder: Any, address: Any, a: Any, b: Any, c: Any) -> Any:
    """Call the compiled function ``int64 f(int64, int64, int64)`` at *address*."""
    kind = ir.FunctionType(_I64, [_I64, _I64, _I64])
    return builder.call(builder.inttoptr(address, kind.as_pointer()), [a, b, c])


@_emitted(_INT, _INT, _INT, _INT, _INT, _INT)
def call_entry(builder: Any, address: Any, op: Any, record: Any, x: Any, y: Any) -> Any:
    """Call a game's compiled entry (operations: tower_core.engine.loops) at *address*."""
    kind = ir.FunctionType(_I64, [_I64] * 4)
    return builder.call(builder.inttoptr(address, kind.as_pointer()), [op, record, x, y])


@_emitted(_NOTHING, _INT, _WORD)
def store_bits(builder: Any, address: Any, bits: Any) -> None:
    """Write the 64 bits of *bits*, lowest first, as 64 bytes of 0 or 1 (machine_code.py)."""
    machine_code.provide()
    kind = ir.FunctionType(ir.VoidType(), [_I64, _I64])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, "towers_store_bits"), [address, bits])


@_emitted(_NOTHING, _INT, _INT)
def store_copy(builder: Any, address: Any, source: Any) -> None:
    """Copy 64 bytes from the address *source*."""
    _store(builder, _load64(builder, source), address)


@_emitted(_NOTHING, _INT, _INT, _INT)
def store_product(builder: Any, address: Any, a: Any, b: Any) -> None:
    """Write the 64 products of the bytes at *a* and *b*, at most 255 each."""
    wide = ir.VectorType(_I16, 64)
    product = builder.mul(builder.zext(_load64(builder, a), wide), builder.zext(_load64(builder, b), wide))
    limit = _vec(_I16, [255] * 64)
    product = builder.select(builder.icmp_unsigned("<", product, limit), product, limit)
    _store(builder, builder.trunc(product, ir.VectorType(_I8, 64)), address)


@_emitted(_NOTHING, _INT)
def store_zero(builder: Any, address: Any) -> None:
    """Write 64 zero bytes."""
    _store(builder, ir.Constant(ir.VectorType(_I8, 64), None), address)


@_emitted(_NOTHING, _INT, _INT)
def store_byte(builder: Any, address: Any, value: Any) -> None:
    """Write the lowest byte of *value*."""
    _store(builder, builder.trunc(value, _I8), address)


@_emitted(_NOTHING, _INT, _INT)
def store_eight(builder: Any, address: Any, source: Any) -> None:
    """Copy 8 bytes from the address *source*."""
    _store(builder, _load(builder, source, _I64), address)


@_emitted(_WORD, _INT)
def get_four(builder: Any, address: Any) -> Any:
    """The four bytes at *address*, packed into the low half of a word."""
    return builder.zext(_load(builder, address, _I32), _I64)


@_emitted(_WORD, _INT)
def low_four(builder: Any, address: Any) -> Any:
    """The lowest bytes of the four int32 at *address*, packed like :func:`get_four`."""
    return _four(builder, _load(builder, address, _FOUR))


@_emitted(_WORD, _INT, _INT, _INT, _INT)
def clipped_four(builder: Any, address: Any, base: Any, factor: Any, shift: Any) -> Any:
    """``(base + factor * x) >> shift`` for the four int32 *x* at *address*, clipped to 0 … 255, as bytes."""
    base, factor, shift = (_splat(builder, builder.trunc(arg, _I32)) for arg in (base, factor, shift))
    value = builder.add(base, builder.mul(factor, _load(builder, address, _FOUR)))
    value = builder.ashr(value, shift)
    for limit, sign in ((_vec(_I32, [0] * 4), ">"), (_vec(_I32, [255] * 4), "<")):
        value = builder.select(builder.icmp_signed(sign, value, limit), value, limit)
    return _four(builder, value)


@_emitted(_WORD, _INT)
def count_four(builder: Any, address: Any) -> Any:
    """Bit counts of the four uint16 at *address*, as bytes."""
    kind = ir.VectorType(_I16, 4)
    count = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), "llvm.ctpop.v4i16")
    return _four(builder, builder.call(count, [_load(builder, address, kind)]))


@_emitted(_NOTHING, _INT, "float64")
def store_float(builder: Any, address: Any, value: Any) -> None:
    """Write *value* as a float32."""
    _store(builder, builder.fptrunc(value, ir.FloatType()), address)


@_emitted(_NOTHING, _INT, _INT)
def store_int(builder: Any, address: Any, value: Any) -> None:
    """Write *value* as an int32."""
    _store(builder, builder.trunc(value, ir.IntType(32)), address)


@_emitted(_NOTHING, _INT, _INT)
def store_int64(builder: Any, address: Any, value: Any) -> None:
    """Write *value* as an int64."""
    _store(builder, value, address)


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


@_emitted(_WORD, _WORD)
def bit(builder: Any, i: Any) -> Any:
    """The uint64 with only bit *i* set."""
    return builder.shl(ir.Constant(_I64, 1), i)


@_emitted("boolean", _WORD, _WORD)
def test_bit(builder: Any, word: Any, i: Any) -> Any:
    """Whether bit *i* of *word* (uint64) is set."""
    return builder.trunc(builder.lshr(word, i), _I1)


@jit
def store_flags(address: Any, bits: Any, count: Any) -> Any:
    """Write the lowest *count* bits of a word, lowest first, as bytes of 0 or 1; returns the address after them.

    Unlike :func:`store_bits`, it writes exactly *count* bytes, so rows of any size are safe.
    """
    for i in range(count):
        store_byte(address + i, np.int64(test_bit(bits, np.int64(i))))
    return address + count
