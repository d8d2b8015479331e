"""Boots a Debian kernel under QEMU and runs test binaries there, where the vDSO is live."""

import argparse
import os
import pathlib
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

from tests.kernels import boot
from tests.kernels import initramfs
from tests.kernels import report

# Bazel's, less what it takes to say that time is up.
_TIMEOUT_S = float(os.environ.get("TEST_TIMEOUT", 900)) - 30


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", choices=boot.MACHINES, required=True)
    parser.add_argument("--append", default="", help="more parameters for the kernel")
    parser.add_argument("--no_vdso", action="store_true", help="the kernel is to offer no vDSO")
    parser.add_argument("init", type=pathlib.Path, help="the first process")
    parser.add_argument("tests", type=pathlib.Path, nargs="*", help="GoogleTest binaries")
    return parser.parse_args()


def run(arguments):
    """Returns the <testsuites> of the boot."""
    start = time.monotonic()
    tests = {test.name: test.read_bytes() for test in arguments.tests}
    if not tests or len(tests) < len(arguments.tests):
        raise boot.Error("there have to be test binaries, each of another name")
    machine = boot.MACHINES[arguments.machine]
    kernel = boot.fetch(machine)
    if not kernel:
        return report.skipped(f"{machine.kernel} is not in the cache and cannot be downloaded")

    console = []
    with tempfile.NamedTemporaryFile(suffix=".cpio") as archive:
        archive.write(initramfs.initramfs(arguments.init.read_bytes(), tests))
        archive.flush()
        print(f"Booting {pathlib.Path(kernel).name}, {len(tests)} test binaries", flush=True)
        left = start + _TIMEOUT_S - time.monotonic()
        for line in boot.boot(machine, kernel, archive.name, arguments.append, left):
            console.append(line)
            if not line.startswith("@@xml"):
                print(f"{time.monotonic() - start:7.2f} {line}", flush=True)
    return report.results(console, tests, vdso=not arguments.no_vdso)


def main():
    try:
        root = run(parse_arguments())
    except boot.Error as error:
        sys.exit(f"boot_test: {error}")
    output = os.environ.get("XML_OUTPUT_FILE")
    if output:
        ET.ElementTree(root).write(output, encoding="utf-8", xml_declaration=True)
    print(report.describe(root))
    sys.exit(not report.passed(root))


if __name__ == "__main__":
    main()
