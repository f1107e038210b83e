"""A leaner Numba pipeline: each function is optimised and compiled to machine code once.

Plain ``njit`` emits machine code and Python wrappers for every function and optimises its callees again each time, which
takes a minute for a game. Here, inner functions, which only other compiled functions call, keep only their LLVM module;
the entry that links them is optimised and compiled as a whole.
"""

from __future__ import annotations

from typing import Any, ClassVar

from llvmlite.binding import Linkage
from numba.core import typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass


class LateLibrary(JITCodeLibrary):
    """A code library whose functions are not optimised until they are linked."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout


class EntryLibrary(LateLibrary):
    """The library into which all others are linked.

    Numba optimises twice, to prune reference counts of arrays in loops and to vectorise loops. Kernels here have almost no
    reference counts and write their vector stores explicitly (intrinsics.py); optimising once is a fifth faster.
    """

    def _optimize_final_module(self) -> None:
        # Nothing outside calls these functions; internal linkage lets LLVM drop constant status codes and inlined functions.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = "internal"
        passes, builder = self._codegen._module_pass_manager(opt=2, loop_vectorize=False)
        passes.run(self._final_module, builder)


class InnerLibrary(LateLibrary):
    """A code library that is linked into others and never run by itself.

    Its module contains only its own function; the callees are collected once, when the entry links it.
    """

    _shared_module: Any

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
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
class EntryLowering(typed_passes.NativeLowering):
    """Native lowering into an EntryLibrary."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(typed_passes.NativeLowering):
    """Native lowering that stops before emitting machine code."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        codegen = state.targetctx.codegen()
        state.library = InnerLibrary(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba keys compiled functions by a builtin method; this one only has to be unique.
        result = state["cr"]
        unlike: list[Any] = []
        key = unlike.append
        state.targetctx.insert_user_function(key, result.fndesc, [state.library])
        state["cr"] = _LowerResult(result.fndesc, result.call_helper, cfunc=key, env=result.env)
        return True


class LeanCompiler(CompilerBase):
    """The default pipeline with another lowering."""

    lowering: ClassVar[type[typed_passes.NativeLowering]]

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager(self.lowering._name)
        builder = DefaultPassBuilder
        passes.passes.extend(builder.define_untyped_pipeline(self.state).passes)
        passes.passes.extend(builder.define_typed_pipeline(self.state).passes)
        lowering = builder.define_nopython_lowering_pipeline(self.state)
        for stage, description in lowering.passes:
            passes.passes.append((self.lowering if stage is typed_passes.NativeLowering else stage, description))
        passes.finalize()
        return [passes]


class InnerCompiler(LeanCompiler):
    lowering = InnerLowering


class EntryCompiler(LeanCompiler):
    lowering = EntryLowering


ENTRY_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "pipeline_class": EntryCompiler}
INNER_OPTIONS: dict[str, Any] = {
    **ENTRY_OPTIONS,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": InnerCompiler,
}
