"""A Numba pipeline that ends with an LLVM module: every function is lowered once, and nothing is optimised.

Plain ``njit`` emits machine code and Python wrappers for every function and optimises its callees again each time, which
takes a minute for a game. Here each function keeps only its LLVM module. The module of an entry, including everything that it
calls, is optimised and compiled to machine code as a whole (machine_code.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite.binding import Linkage
from numba import config, njit, types
from numba.core import typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.runtime import rtsys

from tower_core.engine.deferred import before_compiling
from tower_core.engine.machine_code import Lowered


class InnerLibrary(JITCodeLibrary):
    """A code library that is linked into others and never run by itself.

    Its module contains only its own function; the callees are collected once, for the entry.
    """

    _shared_module: Any

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def add_linking_library(self, library: Any) -> None:
        if library is not rtsys.library:  # machine_code.py has its own memory functions
            super().add_linking_library(library)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._ensure_finalized()
            module = self._final_module.clone()
            for library in self._callees():
                own = library._final_module if isinstance(library, InnerLibrary) else library._get_module_for_linking()
                module.link_in(own, preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module

    def _callees(self) -> list[Any]:
        """All libraries that this one calls, directly or not."""
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library not in found:
                found[library] = None
                if isinstance(library, InnerLibrary):
                    waiting.extend(library._linking_libraries)
        return list(found)


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(typed_passes.NativeLowering):
    """Native lowering that stops before emitting machine code."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba keys compiled functions by a builtin method; this one only has to be unique.
        result = state["cr"]
        unlike: list[Any] = []
        key = unlike.append
        state.targetctx.insert_user_function(key, result.fndesc, [state.library])
        state["cr"] = _LowerResult(result.fndesc, result.call_helper, cfunc=key, env=result.env)
        return True


class InnerCompiler(CompilerBase):
    """The default pipeline with another lowering."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager(InnerLowering._name)
        builder = DefaultPassBuilder
        passes.passes.extend(builder.define_untyped_pipeline(self.state).passes)
        passes.passes.extend(builder.define_typed_pipeline(self.state).passes)
        lowering = builder.define_nopython_lowering_pipeline(self.state)
        for stage, description in lowering.passes:
            passes.passes.append((InnerLowering if stage is typed_passes.NativeLowering else stage, description))
        passes.finalize()
        return [passes]


INNER_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": InnerCompiler,
}


def disabled() -> bool:
    """Whether NUMBA_DISABLE_JIT is set."""
    return bool(config.DISABLE_JIT)


def inner(function: Callable[..., Any], **options: Any) -> Any:
    """Numba's dispatcher of a function that only compiled functions call."""
    return njit(**INNER_OPTIONS, **options)(function)


def lower(function: Callable[..., int], num_args: int) -> Lowered:
    """The LLVM module of a function of int64 and all that it calls."""
    while before_compiling:
        before_compiling.pop(0)()
    dispatcher, arguments = inner(function), (types.int64,) * num_args
    dispatcher.compile(types.int64(*arguments))
    result = dispatcher.overloads[arguments]
    return Lowered(str(result.library._get_module_for_linking()), result.fndesc.llvm_func_name, num_args)
