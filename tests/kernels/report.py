"""From what a guest said on its console to test results, as a GoogleTest XML tree.

The lines that begin with "@@" are described in init.cc. The tree is the whole verdict: what went
wrong outside of the tests themselves becomes a failed test case of the suite "Guest".
"""

import collections
import xml.etree.ElementTree as ET

COUNTS = ("tests", "failures", "errors", "skipped", "disabled")

Binary = collections.namedtuple("Binary", "end xml")


def _parse(console):
    """Returns the rest of the @@boot and @@done lines, or None, and {test: Binary}."""
    boot, done, binaries, xml = None, None, {}, []
    for line in console:
        verb, _, rest = line.partition(" ")
        if verb == "@@boot":
            boot = rest
        elif verb == "@@run":
            xml = []
        elif verb == "@@xml":
            xml.append(rest)
        elif verb == "@@end":
            name, _, end = rest.partition(" ")
            binaries[name] = Binary(end, "\n".join(xml))
        elif verb == "@@done":
            done = rest
    return boot, done, binaries


def _suites(binary):
    """Returns a binary's test suites and what is wrong apart from failed tests, or None."""
    if not binary:
        return [], "was not run to its end"
    try:
        suites = ET.fromstring(binary.xml).findall("testsuite")
    except ET.ParseError as error:
        return [], f"ended with {binary.end} and left no readable XML: {error}"
    cases = [case for suite in suites for case in suite.iter("testcase")]
    if not any(case.get("status") == "run" for case in cases):
        return suites, "ran no test"
    if binary.end != "exit=0" and all(case.find("failure") is None for case in cases):
        return suites, f"ended with {binary.end}, though no test failed"
    return suites, None


def _tree(suites):
    root = ET.Element("testsuites", name="AllTests")
    root.extend(suites)
    cases = list(root.iter("testcase"))
    root.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        root.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    root.set("disabled", str(sum(case.get("status") == "notrun" for case in cases)))
    root.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.3f}")
    return root


def _guest_suite(tag, messages):
    """Returns the suite "Guest": for each name in messages a case with a child <tag>."""
    suite = ET.Element("testsuite", name="Guest")
    for name, message in messages.items():
        case = ET.SubElement(suite, "testcase", classname="Guest", name=name, status="run")
        ET.SubElement(case, tag, message=message)
    return suite


def results(console, tests, vdso=True):
    """Returns the <testsuites> of a boot.

    Args:
      console: the lines of the guest's console.
      tests: the names of the binaries that had to run.
      vdso: whether the kernel has to offer its processes a vDSO.
    """
    boot, done, binaries = _parse(console)
    problems = {}
    if boot is None:
        problems["boot"] = "the kernel did not start /init"
    elif boot.endswith("vdso=0") == vdso:
        problems["vdso"] = f"the kernel offers {'no' if vdso else 'a'} vDSO: {boot}"
    suites = []
    for test in tests:
        ran, problem = _suites(binaries.get(test))
        suites += ran
        if problem:
            problems[test] = f"{test} {problem}"
    # QEMU exits with 0 on a panic too, so nothing but this line tells that all went well.
    if done is None:
        problems["done"] = "the guest crashed or ran out of time: no @@done line"
    elif not done.endswith(f" of {len(tests)}"):
        problems["done"] = f"the guest counts its tests otherwise: {done}, expected {len(tests)}"
    if problems:
        suites.append(_guest_suite("failure", problems))
    return _tree(suites)


def skipped(reason):
    """Returns the <testsuites> of a boot that could not be tried."""
    return _tree([_guest_suite("skipped", {"boot": reason})])


def passed(root):
    return root.get("failures") == root.get("errors") == "0"


def describe(root):
    """Returns the results as lines of text: the counts and every failure."""
    lines = []
    for case in root.iter("testcase"):
        for failure in case.findall("failure") + case.findall("skipped"):
            name = f"{case.get('classname')}.{case.get('name')}"
            message = " ".join(failure.get("message", "").split())
            lines.append(f"{failure.tag.upper()} {name}: {message}")
    lines.append(", ".join(f"{root.get(count)} {count}" for count in COUNTS))
    return "\n".join(lines)
