"""count_tests.py LOG TESTLOGS: prints how many test cases passed, failed and were skipped.

LOG is what "bazel test" printed, TESTLOGS its directory of results. The log tells which tests really ran:
the directory also holds those of earlier runs.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree

RESULT = re.compile(
    r"^(?://|@//)(?P<package>\S*):(?P<name>\S+)\s+"
    r"(?P<status>PASSED|FLAKY|FAILED TO BUILD|FAILED|TIMEOUT|INCOMPLETE)"
)


def count_file(path):
    """Returns (passed, failed, skipped) of one test.xml, GoogleTest's or Bazel's own."""
    passed = failed = skipped = 0
    try:
        cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
    except xml.etree.ElementTree.ParseError:  # The test died while writing it.
        return 0, 1, 0
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def count_target(directory, status):
    counts = [0, 0, 0]
    files = []
    if status != "FAILED TO BUILD":
        files = [*directory.glob("test.xml"), *directory.glob("shard_*/test.xml")]
    for path in files:
        counts = [a + b for a, b in zip(counts, count_file(path))]
    # A test can also fail outside its cases, or before it has reported any.
    if status not in ("PASSED", "FLAKY") and counts[1] == 0:
        counts[1] = 1
    return counts


def main():
    log, testlogs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    total = [0, 0, 0]
    for line in log.read_text(errors="replace").splitlines():
        result = RESULT.match(line)
        if result:
            directory = testlogs / result["package"] / result["name"]
            total = [a + b for a, b in zip(total, count_target(directory, result["status"]))]
    print(*total)


main()
