"""Generate machine code from an LLVM module, for named targets or for this processor, and load it; needs LLVM only.

The module is the same for all targets. The target-dependent parts are linked to it here: the memory functions of arrays, which
replace Numba's runtime library, and the fastest instructions for two operations on bits. Machine code contains no absolute
addresses; its external symbols are from the C library and, in the function for Python, from Python.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from llvmlite import binding as llvm

_V2 = ("cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
_LINUX = "unknown-linux-gnu"
# Their pdep is microcoded and slow.
_SLOW_PDEP = ("znver1", "znver2")


@dataclass(frozen=True)
class Target:
    """A kind of processor, in LLVM's terms; *needs*: the features that it must have."""

    name: str
    triple: str
    cpu: str
    features: str = ""
    needs: tuple[str, ...] = ()

    @property
    def wide_stores(self) -> bool:
        """Whether 64 bits become 64 bytes in one instruction."""
        return "avx512bw" in self.needs

    @property
    def scatters(self) -> bool:
        """Whether there is a fast instruction that deposits bits (pdep)."""
        return "bmi2" in self.needs and self.cpu not in _SLOW_PDEP


TARGETS = {
    target.name: target
    for target in (
        Target("x86-64-v4", f"x86_64-{_LINUX}", "x86-64-v4", needs=_V4),
        Target("x86-64-v3", f"x86_64-{_LINUX}", "x86-64-v3", needs=_V3),
        Target("x86-64-v2", f"x86_64-{_LINUX}", "x86-64-v2", needs=_V2),
        Target("aarch64", f"aarch64-{_LINUX}", "generic"),
        Target("wasm32", "wasm32-unknown-unknown", "generic", "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext"),
    )
}
"""Targets of machine code that packages ship, the fastest of a family first."""


@cache
def host() -> Target:
    """This processor."""
    features = llvm.get_host_cpu_features()
    has = tuple(sorted(name for name, there in features.items() if there))
    triple = llvm.get_process_triple() + ("-elf" if os.name == "nt" else "")  # LLVM's loader wants ELF on Windows
    return Target("host", triple, llvm.get_host_cpu_name(), features.flatten(), has)


def shipped_targets() -> list[Target]:
    """The named targets that this processor supports, fastest first."""
    here = host()
    family, system = here.triple.split("-")[0], here.triple.split("-")[2]
    found = [target for target in TARGETS.values() if target.triple.split("-")[::2] == [family, system]]
    usable = [target for target in found if set(target.needs) <= set(here.needs)]
    return [target for target in usable if not (target.scatters and here.cpu in _SLOW_PDEP)]


class Lowered(NamedTuple):
    """An LLVM module as text, and its function that takes *num_args* int64."""

    text: str
    function: str
    num_args: int


def emit(lowered: Lowered, target: Target) -> bytes:
    """An object file with ``towers_entry``, the function of an LLVM module, and ``towers_call`` for Python."""
    return _emit({"towers_entry": lowered}, target, _python_call(lowered.num_args))


def emit_together(lowered: Mapping[str, Lowered], target: Target) -> bytes:
    """One object file with several functions under the given names, for systems without Python."""
    return _emit(lowered, target, "")


def _emit(lowered: Mapping[str, Lowered], target: Target, more: str) -> bytes:
    """ValueError if the object file would need symbols that a process may lack."""
    machine = _machine(target)
    # Numba's memory functions come with those of its own that are linked in.
    module = _parse(_runtime(target, lowered) + more, target, machine)
    for one in lowered.values():
        module.link_in(_parse(_NUMBA_MEMORY.sub(r"declare \1 @\2(ptr)", one.text), target, machine))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in (*lowered, "towers_call"):
            value.linkage = "internal"
    module.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_vectorization = tuning.slp_vectorization = False  # kernels write their vector stores explicitly
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    missing = sorted(f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm."))
    unknown = [name for name in missing if not _KNOWN.fullmatch(name)]
    if target.name not in TARGETS:  # this process has the others, but Numba's only once it is imported
        unknown = [name for name in unknown if name.startswith(("NRT_", "numba_"))]
    if unknown:
        raise ValueError(f"a kernel needs functions that machine code can't call: {', '.join(unknown)}")
    return bytes(machine.emit_object(module))


_NUMBA_MEMORY = re.compile(r"(?ms)^define [^\n@]*?(\w+) @(NRT_incref|NRT_decref|NRT_MemInfo_data_fast)\(ptr.*?^\}$")
_KNOWN = re.compile(r"malloc|free|towers_alloc|towers_free|mem(cpy|set|move)|Py\w+|exp|log|pow|sqrt|floor|ceil|rint")


def _machine(target: Target) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3, reloc="pic", codemodel="default", jit=True
    )


def _parse(text: str, target: Target, machine: Any) -> Any:
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return module


_loaded: list[Any] = []  # what machine code in use must outlive


def load(code: bytes) -> tuple[Callable[..., int], int]:
    """The function for Python in machine code for this processor, and the address of its entry."""
    engine = _linked(code)
    method = _Method(b"entry", engine.get_function_address("towers_call"), _FASTCALL, None)
    _loaded.append((engine, method))
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype, create.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return create(ctypes.addressof(method), None, None), engine.get_function_address("towers_entry")


def _linked(code: bytes) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@cache
def provide() -> None:
    """Make the functions linked here available to code that Numba compiles itself, such as a user's ``cfunc``."""
    machine = _machine(host())
    code = machine.emit_object(_parse(_bits(host()), host(), machine))
    engine = _linked(bytes(code))
    _loaded.append(engine)
    for name in ("towers_store_bits", "towers_nth_bit"):
        llvm.add_symbol(name, engine.get_function_address(name))


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


_FASTCALL = 0x80  # METH_FASTCALL: called with an array of arguments and their number


def _runtime(target: Target, lowered: Mapping[str, Lowered]) -> str:
    """LLVM functions that the modules of kernels are linked with."""
    browser = target.triple.startswith("wasm")
    return "\n".join([
        _MEMORY.format(alloc="towers_alloc" if browser else "malloc", free="towers_free" if browser else "free"),
        _bits(target),
        *(_ENTRY.format(name=name, function=one.function, types=", i64" * one.num_args, parameters=_parameters(one.num_args))
          for name, one in lowered.items()),
    ])  # fmt: skip


def _bits(target: Target) -> str:
    store = _STORE_WIDE if target.wide_stores else _store_spread()
    return store + (_NTH_BIT_SCATTERED if target.scatters else _nth_bit_searched())


def _parameters(num_args: int) -> str:
    return ", ".join(f"i64 %a{i}" for i in range(num_args))


# An array's memory starts with 40 bytes as Numba knows them: the number of references at 0, the address of the data at 24.
# Kernels share no arrays between threads.
_MEMORY = """
declare ptr @{alloc}(i64)
declare void @{free}(ptr)

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {{
  %boundary = zext i32 %align to i64
  %room = add i64 %size, %boundary
  %total = add i64 %room, 40
  %head = call ptr @{alloc}(i64 %total)
  %none = icmp eq ptr %head, null
  br i1 %none, label %end, label %fill
fill:
  store i64 1, ptr %head
  %start = ptrtoint ptr %head to i64
  %after = add i64 %start, 39
  %last = add i64 %after, %boundary
  %down = sub i64 0, %boundary
  %place = and i64 %last, %down
  %data = inttoptr i64 %place to ptr
  %field = getelementptr i8, ptr %head, i64 24
  store ptr %data, ptr %field
  br label %end
end:
  ret ptr %head
}}

define ptr @NRT_MemInfo_data_fast(ptr %head) alwaysinline {{
  %field = getelementptr i8, ptr %head, i64 24
  %data = load ptr, ptr %field
  ret ptr %data
}}

define void @NRT_incref(ptr %head) {{
  %none = icmp eq ptr %head, null
  br i1 %none, label %end, label %count
count:
  %old = load i64, ptr %head
  %new = add i64 %old, 1
  store i64 %new, ptr %head
  br label %end
end:
  ret void
}}

define void @NRT_decref(ptr %head) {{
  %none = icmp eq ptr %head, null
  br i1 %none, label %end, label %count
count:
  %old = load i64, ptr %head
  %new = sub i64 %old, 1
  store i64 %new, ptr %head
  %last = icmp eq i64 %new, 0
  br i1 %last, label %release, label %end
release:
  call void @{free}(ptr %head)
  br label %end
end:
  ret void
}}
"""

_STORE_WIDE = """
define void @towers_store_bits(i64 %at, i64 %bits) alwaysinline {
  %to = inttoptr i64 %at to ptr
  %flags = bitcast i64 %bits to <64 x i1>
  %bytes = zext <64 x i1> %flags to <64 x i8>
  store <64 x i8> %bytes, ptr %to, align 1
  ret void
}
"""


def _store_spread() -> str:
    """Without AVX-512, a byte shuffle, an and and a compare are fastest."""
    spread = ", ".join(f"i32 {j // 8}" for j in range(64))
    select = ", ".join(f"i8 {(1 << (j % 8)) - (256 if j % 8 == 7 else 0)}" for j in range(64))
    return f"""
define void @towers_store_bits(i64 %at, i64 %bits) alwaysinline {{
  %to = inttoptr i64 %at to ptr
  %eight = bitcast i64 %bits to <8 x i8>
  %spread = shufflevector <8 x i8> %eight, <8 x i8> poison, <64 x i32> <{spread}>
  %one = and <64 x i8> %spread, <{select}>
  %flags = icmp eq <64 x i8> %one, <{select}>
  %bytes = zext <64 x i1> %flags to <64 x i8>
  store <64 x i8> %bytes, ptr %to, align 1
  ret void
}}
"""


_NTH_BIT_SCATTERED = """
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
declare i64 @llvm.cttz.i64(i64, i1)

define i64 @towers_nth_bit(i64 %word, i64 %n) alwaysinline {
  %one = shl i64 1, %n
  %place = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %word)
  %index = call i64 @llvm.cttz.i64(i64 %place, i1 false)
  ret i64 %index
}
"""


def _nth_bit_searched() -> str:
    """Halve the word six times, without branches."""
    lines, place, rest = [], "0", "%n"
    for width in (32, 16, 8, 4, 2, 1):
        lines.append(f"""
  %shifted{width} = lshr i64 %word, {place}
  %low{width} = and i64 %shifted{width}, {2**width - 1}
  %ones{width} = call i64 @llvm.ctpop.i64(i64 %low{width})
  %above{width} = icmp sge i64 {rest}, %ones{width}
  %fewer{width} = select i1 %above{width}, i64 %ones{width}, i64 0
  %rest{width} = sub i64 {rest}, %fewer{width}
  %step{width} = select i1 %above{width}, i64 {width}, i64 0
  %place{width} = add i64 {place}, %step{width}""")
        place, rest = f"%place{width}", f"%rest{width}"
    return f"""
declare i64 @llvm.ctpop.i64(i64)

define i64 @towers_nth_bit(i64 %word, i64 %n) alwaysinline {{{"".join(lines)}
  ret i64 {place}
}}
"""


# The only exception that a kernel can raise is that of a failed allocation; it then returns the lowest number.
_ENTRY = """
declare i32 @"{function}"(ptr, ptr{types})

define i64 @"{name}"({parameters}) {{
  %result = alloca i64
  %error = alloca ptr
  %status = call i32 @"{function}"(ptr %result, ptr %error, {parameters})
  %good = icmp eq i32 %status, 0
  %value = load i64, ptr %result
  %answer = select i1 %good, i64 %value, i64 -9223372036854775808
  ret i64 %answer
}}
"""


def _python_call(num_args: int) -> str:
    """A builtin function of Python (METH_FASTCALL) that calls the entry without the GIL."""
    reads = "".join(
        f"""
  %at{i} = getelementptr ptr, ptr %arguments, i64 {i}
  %object{i} = load ptr, ptr %at{i}
  %a{i} = call i64 @PyLong_AsLongLong(ptr %object{i})"""
        for i in range(num_args)
    )
    return f"""
declare i64 @PyLong_AsLongLong(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyErr_Occurred()
declare i32 @PyErr_BadArgument()
declare ptr @PyErr_NoMemory()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define ptr @towers_call(ptr %self, ptr %arguments, i64 %count) {{
  %right = icmp eq i64 %count, {num_args}
  br i1 %right, label %read, label %wrong
wrong:
  call i32 @PyErr_BadArgument()
  ret ptr null
read:{reads}
  %fault = call ptr @PyErr_Occurred()
  %clean = icmp eq ptr %fault, null
  br i1 %clean, label %run, label %end
end:
  ret ptr null
run:
  %thread = call ptr @PyEval_SaveThread()
  %value = call i64 @towers_entry({_parameters(num_args)})
  call void @PyEval_RestoreThread(ptr %thread)
  %bad = icmp eq i64 %value, -9223372036854775808
  br i1 %bad, label %raise, label %answer
raise:
  call ptr @PyErr_NoMemory()
  ret ptr null
answer:
  %object = call ptr @PyLong_FromLongLong(i64 %value)
  ret ptr %object
}}
"""
