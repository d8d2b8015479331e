"""The launcher must not take a bad boot for a good one."""

import unittest

from tests.kernels import initramfs
from tests.kernels import report

_BOOT = "@@boot 6.1.0-50-armmp armv7l vdso=0xb6f41000"


def _case(name, inside="", status="run"):
    attributes = f'classname="Clock" name="{name}" status="{status}" time="0.5"'
    return f"<testcase {attributes}>{inside}</testcase>"


def _binary(name, *cases, end="exit=0"):
    """Returns the console's lines of a test binary."""
    xml = ["<testsuites>", '<testsuite name="Clock">', *cases, "</testsuite>", "</testsuites>"]
    xml = ["@@xml " + line for line in xml]
    return [f"@@run {name}", "[==========] Running", *xml, f"@@end {name} {end}"]


_FAILED = _case("Failed", '<failure message="1 != 2"/>')
_SKIPPED = _case("Skipped", '<skipped message="no NTP"/>')
_DISABLED = _case("Disabled", status="notrun")

_GOOD = _binary("a_test", _case("One"), _SKIPPED, _DISABLED)


class ReportTest(unittest.TestCase):
    def assert_fails(self, console, tests, problem, **kwargs):
        root = report.results(console, tests, **kwargs)
        self.assertFalse(report.passed(root))
        self.assertIn(problem, [case.get("name") for case in root.iterfind("*[@name='Guest']/*")])

    def assert_counts(self, root, **expected):
        self.assertEqual({count: int(root.get(count)) for count in expected}, expected)

    def test_good_boot_passes_with_the_guests_counts(self):
        console = ["SeaBIOS", _BOOT, *_GOOD, *_binary("c_test", _case("Three")), "@@done 2 of 2"]
        root = report.results(console, ["a_test", "c_test"])
        self.assertTrue(report.passed(root))
        self.assert_counts(root, tests=4, failures=0, errors=0, skipped=1, disabled=1)
        self.assertEqual(root.get("time"), "2.000")

    def test_failed_test_fails_and_is_counted_once(self):
        failing = _binary("b_test", _FAILED, _case("Good"), end="exit=1")
        console = [_BOOT, *_GOOD, *failing, "@@done 1 of 2"]
        root = report.results(console, ["a_test", "b_test"])
        self.assertFalse(report.passed(root))
        self.assert_counts(root, tests=5, failures=1)
        self.assertIn("FAILURE Clock.Failed: 1 != 2", report.describe(root))

    def test_failed_test_fails_even_if_the_binary_exits_with_0(self):
        console = [_BOOT, *_binary("b_test", _FAILED), "@@done 1 of 1"]
        self.assertFalse(report.passed(report.results(console, ["b_test"])))

    def test_missing_done_line_fails(self):
        self.assert_fails([_BOOT, *_GOOD, "Kernel panic - not syncing"], ["a_test"], "done")

    def test_other_number_of_tests_in_the_guest_fails(self):
        self.assert_fails([_BOOT, *_GOOD, "@@done 1 of 11"], ["a_test"], "done")

    def test_silent_guest_fails(self):
        self.assert_fails([], ["a_test"], "boot")

    def test_binary_that_ran_no_test_fails(self):
        self.assert_fails([_BOOT, *_binary("a_test"), "@@done 1 of 1"], ["a_test"], "a_test")
        disabled = _binary("a_test", _DISABLED)
        self.assert_fails([_BOOT, *disabled, "@@done 1 of 1"], ["a_test"], "a_test")

    def test_binary_that_did_not_run_fails(self):
        self.assert_fails([_BOOT, *_GOOD, "@@done 1 of 1"], ["z_test"], "z_test")

    def test_crashed_binary_fails(self):
        early = ["@@run a_test", "@@end a_test signal=11"]
        self.assert_fails([_BOOT, *early, "@@done 0 of 1"], ["a_test"], "a_test")
        late = _binary("a_test", _case("One"), end="signal=6")
        self.assert_fails([_BOOT, *late, "@@done 0 of 1"], ["a_test"], "a_test")

    def test_garbled_xml_fails(self):
        garbled = [line.replace("</testsuite>", "</tests") for line in _GOOD]
        self.assert_fails([_BOOT, *garbled, "@@done 1 of 1"], ["a_test"], "a_test")

    def test_vdso_has_to_be_as_expected(self):
        without = [_BOOT.replace("0xb6f41000", "0"), *_GOOD, "@@done 1 of 1"]
        self.assert_fails(without, ["a_test"], "vdso")
        self.assertTrue(report.passed(report.results(without, ["a_test"], vdso=False)))
        self.assert_fails([_BOOT, *_GOOD, "@@done 1 of 1"], ["a_test"], "vdso", vdso=False)

    def test_skipped_boot_is_counted_as_skipped(self):
        root = report.skipped("no network")
        self.assertTrue(report.passed(root))
        self.assert_counts(root, tests=1, failures=0, skipped=1)
        self.assertIn("no network", report.describe(root))


class InitramfsTest(unittest.TestCase):
    def test_entries_are_aligned_and_complete(self):
        archive = initramfs.initramfs(b"INIT", {"a_test": b"12345"})
        names, at = [], 0
        while at < len(archive):
            self.assertEqual(archive[at : at + 6], b"070701")
            fields = [int(archive[at + 6 + 8 * i :][:8], 16) for i in range(13)]
            name, data = at + 110, at + (110 + fields[11] + 3) // 4 * 4
            names.append(archive[name : name + fields[11] - 1].decode())
            if names[-1] == "tests/a_test":
                self.assertEqual(archive[data : data + fields[6]], b"12345")
            at = data + (fields[6] + 3) // 4 * 4
        self.assertEqual(names[:5], ["dev", "proc", "sys", "tests", "tmp"])
        self.assertEqual(names[5:], ["dev/console", "init", "tests/a_test", "TRAILER!!!"])


if __name__ == "__main__":
    unittest.main()
