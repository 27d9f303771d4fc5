"""sum-reports.py FOLDER BROKEN: prints `N passed, N failed` over all reports there; BROKEN more count as failed.

Reads vitest's JSON and pytest's JUnit files. Exits 1 when something failed or nothing ran.
"""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path


def vitest_outcomes(report: Path) -> Counter[str]:
    """A file that could not even be loaded has no tests, but is a failure."""
    outcomes: Counter[str] = Counter()
    for file in json.loads(report.read_text(encoding="utf-8"))["testResults"]:
        tests = file["assertionResults"]
        for test in tests:
            outcomes[test["status"] if test["status"] in ("passed", "failed") else "skipped"] += 1
        if file["status"] == "failed" and not any(test["status"] == "failed" for test in tests):
            outcomes["failed"] += 1
    return outcomes


def pytest_outcomes(report: Path) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    for test in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - we wrote it a moment ago
        if test.find("failure") is not None or test.find("error") is not None:
            outcomes["failed"] += 1
        else:
            outcomes["skipped" if test.find("skipped") is not None else "passed"] += 1
    return outcomes


def main(folder: Path, broken: int) -> int:
    total: Counter[str] = Counter(failed=broken)
    for report in sorted(folder.glob("*.json")):
        total += vitest_outcomes(report)
    for report in sorted(folder.glob("*.xml")):
        total += pytest_outcomes(report)
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    sys.stdout.write(f"{total['passed']} passed, {total['failed']} failed{skipped}\n")
    return 0 if total["passed"] and not total["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
