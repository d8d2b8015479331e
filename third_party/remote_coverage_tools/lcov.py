#!/usr/bin/env python3
"""What Bazel calls for a report of coverage: gcov's JSON, to tracefiles of lcov, to one of them and a table.

lcov.py --coverage_dir=DIR --source_file_manifest=FILE --output_file=FILE    one test's: LcovMerger
lcov.py --reports_file=FILE --output_file=FILE                               of all: CoverageReportGenerator
"""

import collections
import gzip
import json
import pathlib
import sys


def read_gcov(directory, sources):
    """Yields (file, line, count) from all of gcov's reports under the directory, of the sources alone."""
    for path in pathlib.Path(directory).rglob("*.gcov.json.gz"):
        with gzip.open(path) as report:
            for file in json.load(report)["files"]:
                if file["file"] in sources:
                    for line in file["lines"]:
                        yield file["file"], line["line_number"], line["count"]


def read_lcov(path):
    """Yields the same from a tracefile."""
    file = None
    for record in pathlib.Path(path).read_text().splitlines():
        key, _, value = record.partition(":")
        if key == "SF":
            file = value
        elif key == "DA":
            line, count = value.split(",")[:2]
            yield file, int(line), int(count)


def main():
    options = dict(arg[2:].partition("=")[::2] for arg in sys.argv[1:])
    hits = collections.defaultdict(collections.Counter)
    if "reports_file" in options:
        for path in pathlib.Path(options["reports_file"]).read_text().split():
            for file, line, count in read_lcov(path):
                hits[file][line] += count
    else:
        sources = set(pathlib.Path(options["source_file_manifest"]).read_text().split())
        for file, line, count in read_gcov(options["coverage_dir"], sources):
            hits[file][line] += count

    with open(options["output_file"], "w") as out:
        for file, lines in sorted(hits.items()):
            records = [f"DA:{line},{count}" for line, count in sorted(lines.items())]
            hit = sum(count > 0 for count in lines.values())
            print(f"SF:{file}", *records, f"LH:{hit}", f"LF:{len(lines)}", "end_of_record", sep="\n", file=out)
            if "reports_file" in options:
                missed = sorted(line for line, count in lines.items() if count <= 0)
                print(f"{hit:4} of {len(lines):4} lines  {file}", *missed, file=sys.stderr)


main()
