"""Takes functions out of a program again, with libcst: their definitions, their imports, and their bare calls."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst


def removed(module: cst.Module, functions: Collection[str]) -> cst.Module:
    """The module without them."""
    found = module.visit(_Removal(functions))
    assert isinstance(found, cst.Module)
    return found


class _Removal(cst.CSTTransformer):
    def __init__(self, functions: Collection[str]) -> None:
        super().__init__()
        self.functions = functions

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef | cst.RemovalSentinel:
        return cst.RemoveFromParent() if original_node.name.value in self.functions else updated_node

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom | cst.RemovalSentinel:
        names = original_node.names
        if isinstance(names, cst.ImportStar):
            return updated_node
        kept = [name for name in names if name.asname or name.evaluated_name not in self.functions]
        if len(kept) == len(names):
            return updated_node
        if not kept:
            return cst.RemoveFromParent()
        return updated_node.with_changes(names=[*kept[:-1], kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)])

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.Expr | cst.RemovalSentinel:
        call = original_node.value
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Name) and call.func.value in self.functions:
            return cst.RemoveFromParent()
        return updated_node
