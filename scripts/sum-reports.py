"""sum-reports.py FOLDER BROKEN: lists the failures in all reports there, and prints `N passed, N failed`.

Reads vitest's JSON and pytest's JUnit files. Adds BROKEN to the failures. Exits with 1 if a test failed or none ran.
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REASON_LINES = 6
REASON_WIDTH = 300
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Outcome:
    """One test. `status` is passed, failed or skipped; `reason` is the message of a failed one."""

    status: str
    name: str
    reason: str = ""


def vitest_outcomes(report: Path) -> Iterator[Outcome]:
    """A file that cannot be loaded has no tests, but counts as a failure."""
    for file in json.loads(report.read_text(encoding="utf-8"))["testResults"]:
        tests = file["assertionResults"]
        where = Path(file["name"]).name
        for test in tests:
            status = test["status"] if test["status"] in ("passed", "failed") else "skipped"
            yield Outcome(status, f"{where}: {test['fullName']}", "\n".join(test.get("failureMessages") or []))
        if file["status"] == "failed" and not any(test["status"] == "failed" for test in tests):
            yield Outcome("failed", where, file.get("message", ""))


def pytest_outcomes(report: Path) -> Iterator[Outcome]:
    for test in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - we wrote it a moment ago
        name = f"{test.get('classname')}: {test.get('name')}"
        failure = next((found for kind in ("failure", "error") if (found := test.find(kind)) is not None), None)
        if failure is not None:
            yield Outcome("failed", name, failure.get("message") or failure.text or "")
        else:
            yield Outcome("skipped" if test.find("skipped") is not None else "passed", name)


def told(failed: Outcome) -> str:
    """The test's name, with the beginning of its reason below."""
    lines = [line.strip()[:REASON_WIDTH] for line in COLOURS.sub("", failed.reason).splitlines() if line.strip()]
    return "\n    ".join([f"failed: {failed.name}", *lines[:REASON_LINES]]) + "\n"


def main(folder: Path, broken: int) -> int:
    outcomes = [outcome for report in sorted(folder.glob("*.json")) for outcome in vitest_outcomes(report)]
    outcomes += [outcome for report in sorted(folder.glob("*.xml")) for outcome in pytest_outcomes(report)]
    total = Counter(failed=broken) + Counter(outcome.status for outcome in outcomes)

    sys.stdout.writelines(told(outcome) for outcome in outcomes if outcome.status == "failed")
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    sys.stdout.write(f"{total['passed']} passed, {total['failed']} failed{skipped}\n")
    return 0 if total["passed"] and not total["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
