"""A peer that fails must neither spoil the others' results nor go unmentioned."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

from benchmarks.peers import driver
from benchmarks.peers import measure
from benchmarks.peers import programs
from benchmarks.peers import protocol
from benchmarks.peers import report

# Answers that go down and up again, as a machine's do.
_GOOD = """
echo ready {rows}
for ns in 9 8 {best} 8 9; do read row n || exit 0; echo $ns; done
while read row n; do echo 9; done
"""


def _shell(script):
    return ["/bin/sh", "-c", script]


def _good(rows, best):
    return _shell(_GOOD.format(rows=rows, best=best))


def _run(commands, starts=1, rounds=5):
    with contextlib.redirect_stderr(io.StringIO()):
        return driver.run(commands, starts, rounds, 10)


class RunTest(unittest.TestCase):
    def assert_lost(self, command, reason):
        """Asserts that the peer is lost for this reason, and nothing but it."""
        minima, lost = _run({"bad": command, "good": _good("good/a", 2)})
        self.assertEqual(minima, {("good", "good/a"): 2})
        self.assertEqual(list(lost), ["bad"])
        self.assertIn(reason, lost["bad"])

    def test_minimum_of_each(self):
        minima, lost = _run({"x": _good("x/a", 3), "y": _good("y/a", 2.5)})
        self.assertEqual(minima, {("x", "x/a"): 3, ("y", "y/a"): 2.5})
        self.assertEqual(lost, {})

    def test_rows_of_a_peer_are_told_apart(self):
        script = 'echo ready x/a x/b; while read row n; do [ $row = x/a ] && echo 1 || echo $n; done'
        minima, lost = _run({"x": _shell(script)})
        self.assertEqual(minima, {("x", "x/a"): 1, ("x", "x/b"): 10})
        self.assertEqual(lost, {})

    def test_minimum_of_all_starts(self):
        with tempfile.TemporaryDirectory() as directory:
            script = f"mkdir {directory}/started 2>/dev/null && best=4 || best=6; " + _GOOD
            script = script.format(rows="x/a", best="$best")
            minima, lost = _run({"x": _shell(script)}, starts=3)
        self.assertEqual(minima, {("x", "x/a"): 4})
        self.assertEqual(lost, {})

    def test_lost_after_a_later_start(self):
        with tempfile.TemporaryDirectory() as directory:
            script = f"mkdir {directory}/started 2>/dev/null || exit 5; " + _GOOD
            bad = _shell(script.format(rows="bad/a", best=1))
            minima, lost = _run({"bad": bad, "good": _good("good/a", 2)}, starts=3)
        self.assertEqual(minima, {("good", "good/a"): 2})
        self.assertEqual(lost, {"bad": "ended with exit code 5"})

    def test_missing_program(self):
        self.assert_lost(["/nonexistent/peer"], "cannot be started")

    def test_dead_before_ready(self):
        self.assert_lost(_shell("echo no clock >&2; exit 3"), "ended with exit code 3: no clock")

    def test_not_ready(self):
        self.assert_lost(_shell("echo Segmentation fault; cat"), "instead of being ready")
        self.assert_lost(_shell("echo ready; cat"), "instead of being ready")
        self.assert_lost(_shell("echo; cat"), "instead of being ready")
        self.assert_lost(_shell("echo ready x/a x/a; cat"), "instead of being ready")

    def test_dead_in_the_second_round(self):
        script = "echo ready bad/a; read request; echo 5; read request; kill -9 $$"
        self.assert_lost(_shell(script), "ended with signal 9 (round 2)")

    def test_dead_while_it_is_not_asked(self):
        script = "echo ready bad/a; read request; echo 5; exit 4"
        self.assert_lost(_shell(script), "ended with exit code 4")

    def test_nonsense(self):
        for answer in ("five", "", "5 6", "nan", "inf", "-5", "0", "\\377"):
            with self.subTest(answer):
                script = f"echo ready bad/a; while read request; do printf -- '{answer}\\n'; done"
                self.assert_lost(_shell(script), "which is no time (round 1)")

    def test_more_than_it_was_asked(self):
        script = "echo ready bad/a; while read request; do printf '5\\n6\\n'; done"
        self.assert_lost(_shell(script), "said more than it was asked")

    def test_never_ready(self):
        with self.assertRaisesRegex(protocol.Error, "did not answer within 0.1 s"):
            protocol.Process(_shell("read request"), start_timeout=0.1)

    def test_never_answers(self):
        script = "echo ready bad/a; read request; read request"
        with protocol.Process(_shell(script), answer_timeout=0.1) as process:
            _, lost = measure.measure({"bad": process}, 3, 10, lambda rows: None)
        self.assertEqual(lost, {"bad": "did not answer within 0.1 s (round 1)"})

    def test_each_round_has_its_own_order(self):
        asked = []

        class Fake:
            rows = ["x/a", "x/b"]

            @staticmethod
            def ask(row, readings):
                asked.append((row, readings))
                return 1.0

        orders = iter([["x/a", "x/b"], ["x/b", "x/a"]])

        def shuffle(rows):
            rows[:] = [("x", row) for row in next(orders)]

        measure.measure({"x": Fake}, 2, 7, shuffle)
        self.assertEqual(asked, [("x/a", 7), ("x/b", 7), ("x/b", 7), ("x/a", 7)])


class BuildTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def build(self, **changes):
        program = programs.Program("x", (), "x-package", ("true",), ("{out}/x", "{here}"))
        with contextlib.redirect_stderr(io.StringIO()):
            return driver.build([program._replace(**changes)], self.directory)

    def test_each_has_a_directory_of_its_own(self):
        commands, left_out = self.build(build=("touch", "{out}/x"))
        self.assertEqual(left_out, {})
        self.assertEqual(commands["x"][0], f"{self.directory}/x/x")
        self.assertTrue(pathlib.Path(commands["x"][0]).exists())

    def test_missing_tool_is_named_with_its_package(self):
        commands, left_out = self.build(tools=("sh", "no-such-tool"))
        self.assertEqual(commands, {})
        self.assertEqual(left_out, {"x": "no-such-tool is missing (apt-get install x-package)"})

    def test_failed_build_shows_its_error(self):
        script = "echo warning >&2; echo 'x.c:1: Error: no uv.h' >&2; echo 1 error >&2; exit 1"
        _, left_out = self.build(build=("sh", "-c", script))
        self.assertIn("sh cannot build it", left_out["x"])
        self.assertIn(": x.c:1: Error: no uv.h", left_out["x"])

    def test_build_that_cannot_be_started(self):
        _, left_out = self.build(build=("/nonexistent/compiler",))
        self.assertIn("compiler cannot build it", left_out["x"])


class ReportTest(unittest.TestCase):
    MINIMA = {("nanotime", "nanotime/now"): 30.0, ("nanotime", "raw/vDSO"): 15.0, ("go", "go/a"): 45.0}

    def setUp(self):
        self.report = report.report(self.MINIMA, {"rust": "rustc is missing"})
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name, "out")

    def test_baseline_first(self):
        self.assertEqual(
            report.table(self.report),
            [
                "                    ns  x raw/vDSO",
                "raw/vDSO         15.00       1.000",
                "nanotime/now     30.00       2.000",
                "go/a             45.00       3.000",
                "left out: rust: rustc is missing",
            ],
        )

    def test_syscall_where_there_is_no_vdso(self):
        result = report.report({("nanotime", "raw/syscall"): 100.0, ("go", "go/a"): 50.0}, {})
        self.assertEqual(result.baseline, "raw/syscall")
        self.assertEqual([row.ratio for row in result.rows], [1, 0.5])

    def test_nothing_without_a_baseline(self):
        self.assertIsNone(report.report({("go", "go/a"): 45.0}, {}))

    def test_json(self):
        report.write_json(self.report, {"rounds": 5}, self.path)
        document = json.loads(self.path.read_text())
        self.assertEqual(document["rounds"], 5)
        self.assertEqual(document["baseline"], "raw/vDSO")
        self.assertEqual(document["results"][2], {"name": "go/a", "ns": 45, "ratio": 3})
        self.assertEqual(document["left_out"], {"rust": "rustc is missing"})

    def test_svg(self):
        try:
            report.write_svg(self.report, self.path)
        except ImportError as error:
            self.skipTest(str(error))
        self.assertIn("<svg", self.path.read_text())

    def test_without_matplotlib_there_is_still_the_table(self):
        arguments = driver.parse_arguments([f"--svg={self.path}"])
        out, err = io.StringIO(), io.StringIO()
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": None}):
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                self.assertEqual(driver.publish(self.report, arguments), 1)
        self.assertIn("nanotime/now", out.getvalue())
        self.assertIn("apt-get install python3-matplotlib", err.getvalue())


class ArgumentsTest(unittest.TestCase):
    def test_wrong_flags_are_named(self):
        for flag in ("--no_such_flag", "--rounds=0", "--starts=x", "--json=/nonexistent/x", "--svg"):
            with self.subTest(flag), contextlib.redirect_stderr(io.StringIO()) as err:
                with self.assertRaises(SystemExit) as exit_:
                    driver.parse_arguments([flag])
                self.assertEqual(exit_.exception.code, 2)
                self.assertIn(flag.split("=", maxsplit=1)[0], err.getvalue())

    def test_help(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            with self.assertRaises(SystemExit) as exit_:
                driver.parse_arguments(["--help"])
        self.assertEqual(exit_.exception.code, 0)
        self.assertIn("--svg FILE", out.getvalue())


if __name__ == "__main__":
    unittest.main()
