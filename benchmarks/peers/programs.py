"""The peers, and how each is built from one source file with its toolchain alone."""

import pathlib
import shutil
import subprocess
from typing import NamedTuple

from benchmarks.peers import protocol

_HERE = pathlib.Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent
_TIMEOUT_S = 1800  # the first build of a fresh clone of ours is the longest


class Program(NamedTuple):
    name: str
    tools: tuple  # that must be there
    package: str  # Debian's, with all that is needed
    build: tuple  # {here}: the sources, {out}: a directory of its own
    run: tuple


# What has the baseline.
OURS = Program(
    name="nanotime",
    tools=(),
    package="",
    build=(str(_ROOT / "bazelw"), "build", "-c", "opt", "//benchmarks/peers:nanotime_peer"),
    run=("{bazel_bin}/benchmarks/peers/nanotime_peer",),
)

OTHERS = (
    Program(
        name="go",
        tools=("go",),
        package="golang-go",
        build=("go", "build", "-o", "{out}/clocks", "{here}/clocks.go"),
        run=("{out}/clocks",),
    ),
    Program(
        name="rust",
        tools=("rustc",),
        package="rustc",
        build=("rustc", "--edition=2021", "-O", "-o", "{out}/clocks", "{here}/clocks.rs"),
        run=("{out}/clocks",),
    ),
    Program(
        name="java",
        tools=("javac", "java"),
        package="default-jdk-headless",
        build=("javac", "-d", "{out}", "{here}/Clocks.java"),
        run=("java", "-cp", "{out}", "Clocks"),
    ),
    Program(
        name="libuv",
        tools=("cc",),
        package="gcc libuv1-dev",
        build=("cc", "-O2", "-o", "{out}/clocks", "{here}/libuv.c", "-luv"),
        run=("{out}/clocks",),
    ),
)


def _output(command, what):
    """Returns what the command prints on standard output."""
    try:
        done = subprocess.run(
            command,
            cwd=_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise protocol.Error(f"{what}: {error}") from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["it says nothing"]
        errors = [line for line in said if "error" in line.lower()]
        raise protocol.Error(f"{what}: {(errors or said)[0].strip()}")
    return done.stdout.strip()


def build(program, out):
    """Builds in the directory `out`. Returns the command that runs the program."""
    hint = f" (apt-get install {program.package})" if program.package else ""
    for tool in program.tools:
        if not shutil.which(tool):
            raise protocol.Error(f"{tool} is missing{hint}")
    places = {"here": str(_HERE), "out": str(out)}
    command = [word.format(**places) for word in program.build]
    _output(command, f"{pathlib.Path(command[0]).name} cannot build it{hint}")
    if program is OURS:
        info = [command[0], "info", "-c", "opt", "bazel-bin"]
        places["bazel_bin"] = _output(info, "bazelw does not say where it built")
    return [word.format(**places) for word in program.run]
