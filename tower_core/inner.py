"""A leaner Numba pipeline for functions that only other compiled functions call.

Plain ``njit`` makes machine code and Python wrappers for every function, optimising whatever it calls once more each
time: a minute for a game. Functions compiled here keep only their LLVM module; all of it is optimised and made machine
code once, in the entry that links them.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from numba.core import typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass


class InnerLibrary(JITCodeLibrary):
    """A code library that is linked into others and never run by itself.

    Its module holds its own function only; what that calls is gathered once, when the entry asks for it.
    """

    _shared_module: Any

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

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
class InnerLowering(typed_passes.NativeLowering):
    """Native lowering that stops before machine code."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        codegen = state.targetctx.codegen()
        state.library = InnerLibrary(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba keys compiled functions by a builtin method; this one only has to be unlike every other.
        result = state["cr"]
        unlike: list[Any] = []
        key = unlike.append
        state.targetctx.insert_user_function(key, result.fndesc, [state.library])
        state["cr"] = _LowerResult(result.fndesc, result.call_helper, cfunc=key, env=result.env)
        return True


class InnerCompiler(CompilerBase):
    """The default pipeline with InnerLowering."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("inner")
        builder = DefaultPassBuilder
        passes.passes.extend(builder.define_untyped_pipeline(self.state).passes)
        passes.passes.extend(builder.define_typed_pipeline(self.state).passes)
        lowering = builder.define_nopython_lowering_pipeline(self.state)
        for stage, description in lowering.passes:
            passes.passes.append((InnerLowering if stage is typed_passes.NativeLowering else stage, description))
        passes.finalize()
        return [passes]


OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": InnerCompiler,
}
