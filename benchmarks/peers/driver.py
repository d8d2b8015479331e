"""What a reading of the clock costs here and in other languages' libraries.

Builds a small program for each toolchain that this machine has, lets them read in turns, many short
rounds in changing order on one CPU, and prints the minimum of each and its ratio to the raw vDSO
call for CLOCK_MONOTONIC of the same rounds.
"""

import argparse
import contextlib
import os
import pathlib
import platform
import random
import sys
import tempfile
import time

from benchmarks.peers import measure
from benchmarks.peers import programs
from benchmarks.peers import protocol
from benchmarks.peers import report

_PROGRESS_S = 5


def _positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: 1 or more, please")
    return int(text)


def _writable(text):
    try:
        with open(text, "a", encoding="utf-8"):
            return text
    except OSError as error:
        raise argparse.ArgumentTypeError(f"cannot write {text}: {error.strerror}") from error


def parse_arguments(arguments=None):
    parser = argparse.ArgumentParser(
        prog="benchmarks/peers/run", description=__doc__, allow_abbrev=False
    )
    for flag, default, what in (
        ("--starts", 5, "of each program"),
        ("--rounds", 300, "after each start"),
        ("--readings", 2000, "of each row in a round"),
    ):
        parser.add_argument(
            flag, type=_positive, default=default, metavar="N", help=f"{what}; default: {default}"
        )
    parser.add_argument("--json", type=_writable, metavar="FILE", help="the results as JSON")
    parser.add_argument(
        "--svg", type=_writable, metavar="FILE", help="a chart; needs python3-matplotlib"
    )
    return parser.parse_args(arguments)


def say(text):
    print(text, file=sys.stderr, flush=True)


def build(all_programs, directory):
    """Returns {name: command} of what can be built, and {name: reason} of the rest."""
    commands, left_out = {}, {}
    for program in all_programs:
        say(f"Building {program.name}.")
        out = pathlib.Path(directory, program.name)
        out.mkdir()
        try:
            commands[program.name] = programs.build(program, out)
        except protocol.Error as error:
            left_out[program.name] = str(error)
    return commands, left_out


def _progress():
    start = said = time.monotonic()

    def tick(fraction):
        nonlocal said
        if time.monotonic() - said >= _PROGRESS_S:
            said = time.monotonic()
            say(f"{said - start:3.0f} s, {fraction:.0%}")

    return tick


def _start(commands, stack, lost):
    """Returns {name: protocol.Process} of those that start; adds the others to `lost`."""
    processes = {}
    for name, command in commands.items():
        try:
            processes[name] = stack.enter_context(protocol.Process(command))
        except protocol.Error as error:
            lost[name] = str(error)
    return processes


def run(commands, starts, rounds, readings, shuffle=random.shuffle):
    """Returns the minima of the peers with these commands, and {name: reason} of those that fail.

    Where the loader puts a program, and what a just-in-time compiler makes of it, is luck that lasts
    for the whole life of a process. So each is started more than once.
    """
    say(f"Measuring {', '.join(commands)}: {rounds} rounds after each of {starts} starts.")
    minima, lost = {}, {}
    tick = _progress()
    for start in range(starts):
        commands = {name: command for name, command in commands.items() if name not in lost}
        with contextlib.ExitStack() as stack:
            processes = _start(commands, stack, lost)
            best, failed = measure.measure(
                processes,
                rounds,
                readings,
                shuffle,
                lambda fraction, start=start: tick((start + fraction) / starts),
            )
        lost.update(failed)
        for row, ns in best.items():
            minima[row] = min(ns, minima.get(row, ns))
    return {row: ns for row, ns in minima.items() if row[0] not in lost}, lost


def publish(result, arguments):
    """Prints and writes the Report. Returns the exit code."""
    print("\n".join(report.table(result)))
    if arguments.json:
        settings = {
            "kernel": platform.release(),
            "machine": platform.machine(),
            "starts": arguments.starts,
            "rounds": arguments.rounds,
            "readings": arguments.readings,
        }
        report.write_json(result, settings, arguments.json)
    if arguments.svg:
        try:
            report.write_svg(result, arguments.svg)
        except ImportError as error:
            say(f"No chart: {error}: apt-get install python3-matplotlib")
            return 1
    return 0


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="nanotime-peers-") as directory:
        commands, unbuilt = build((programs.OURS, *programs.OTHERS), directory)
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # and of the peers
        minima, failed = run(
            commands, arguments.starts, arguments.rounds, arguments.readings
        )
    left_out = {**unbuilt, **failed}
    result = report.report(minima, left_out)
    if not result:
        reason = left_out.get(programs.OURS.name, "has no raw call")
        sys.exit(f"No ratios without {programs.OURS.name}: {reason}")
    sys.exit(publish(result, arguments))
