"""SARIF 2.1.0: findings, the rules behind them, fixes, and what was ignored or is in the baseline, for code scanning.

The same input gives the same bytes on every machine: paths count from %SRCROOT%, whose place is left out. Fingerprints
have a name of our own: GitHub's upload computes `primaryLocationLineHash` itself, and warns of any other value there.
Braces are not doubled although a message could hold placeholders: ours has no arguments, and no reader undoes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recipelint import __version__
from recipelint.diagnostic import Diagnostic
from recipelint.report.json_ import Json, dump
from recipelint.report.report import Report
from recipelint.report.sarif_places import artifact, fix_json, location, said
from recipelint.report.sarif_rules import LEVELS, descriptor
from recipelint.ruleset.load import load
from recipelint.source import SourceFile

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "recipelint/v1"


def render(report: Report) -> str:
    """The log of one run."""
    outcome, ruleset = report.outcome, report.ruleset or load()
    hidden = sorted((*outcome.hidden, *outcome.baselined), key=lambda one: one.sort_key)
    found = [*outcome.diagnostics, *hidden]
    codes = sorted({one.code for one in found})
    names, sources = report.fingerprints(), report.sources()
    commented = {id(one) for one in outcome.commented}
    kinds = [""] * len(outcome.diagnostics) + ["inSource" if id(one) in commented else "external" for one in hidden]
    results = [
        _result(one, codes, names[id(one)], report, sources, ignored) for one, ignored in zip(found, kinds, strict=True)
    ]
    first = {one.code: one for one in reversed(found)}
    run: Json = {
        "tool": {
            "driver": {
                "name": "recipelint",
                "semanticVersion": __version__,
                "rules": [descriptor(first[code], ruleset) for code in codes],
            }
        },
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "invocations": [_invocation(report)],
        "columnKind": "utf16CodeUnits",
        "results": results,
    }
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(
    one: Diagnostic,
    codes: Sequence[str],
    name: str,
    report: Report,
    sources: Mapping[str, SourceFile],
    ignored: str,
) -> Json:
    """A finding; IGNORED tells how, and is empty if it is not."""
    result: Json = {
        "ruleId": one.code,
        "ruleIndex": codes.index(one.code),
        "level": LEVELS[one.severity],
        "message": said(one.message),
        "locations": [location(one.location, report, one.label)],
        "partialFingerprints": {FINGERPRINT: name},
        "properties": {"confidence": one.confidence.value},
    }
    if one.related:
        result["relatedLocations"] = [
            {"id": number, **location(label.location, report, label.text)}
            for number, label in enumerate(one.related, 1)
        ]
    if ignored:
        result["suppressions"] = [{"kind": ignored}]
    elif (fix := report.offered(one)) is not None and (made := fix_json(fix, report, sources)) is not None:
        result["fixes"] = [made]
    return result


def _invocation(report: Report) -> Json:
    invocation: Json = {"executionSuccessful": not report.outcome.unreadable}
    if report.outcome.unreadable:
        invocation["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": said(f"{report.place(one.path)}: {one.reason}"),
                "locations": [{"physicalLocation": {"artifactLocation": artifact(one.path, report)}}],
            }
            for one in report.outcome.unreadable
        ]
    return invocation
