"""How the driver and the programs that read clocks, its peers, talk.

A peer warms up and prints "ready OWNER/READING ...", its rows. For each line "OWNER/READING N" on
its standard input it makes N readings, and prints how many nanoseconds one took. It ends with its
input. What it has to complain of goes to standard error.
"""

import math
import os
import selectors
import subprocess
import tempfile
import time


class Error(Exception):
    """What is wrong with a peer, for the user."""


class Process:
    """A peer that runs. A context: at its end, so does the peer."""

    def __init__(self, command, start_timeout=120, answer_timeout=20):
        self._answer_timeout = answer_timeout
        self._unread = b""
        self._stderr = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr
            )
        except OSError as error:
            self._stderr.close()
            raise Error(f"cannot be started: {error}") from error
        try:
            self.rows = self._ready(start_timeout)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _ready(self, timeout):
        line = self._line(timeout)
        word, *rows = line.split() or [""]
        if word != "ready" or not rows or len(set(rows)) < len(rows):
            raise Error(f"said {line[:80]!r} instead of being ready")
        return rows

    def ask(self, row, readings):
        """Returns the nanoseconds that a reading took."""
        try:
            self._process.stdin.write(f"{row} {readings}\n".encode())
            self._process.stdin.flush()
        except OSError as error:
            raise Error(self._death()) from error
        line = self._line(self._answer_timeout)
        try:
            ns = float(line)
        except ValueError:
            ns = math.nan
        if not 0 < ns < math.inf:
            raise Error(f"answered {line[:80]!r}, which is no time")
        return ns

    def _line(self, timeout):
        """Returns the next line that the peer prints, and makes sure that it is the last so far."""
        deadline = time.monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                if not selector.select(max(0, deadline - time.monotonic())):
                    raise Error(f"did not answer within {timeout} s")
                data = os.read(self._process.stdout.fileno(), 65536)
                if not data:
                    raise Error(self._death())
                self._unread += data
        line, self._unread = self._unread.split(b"\n", 1)
        if self._unread:
            raise Error("said more than it was asked")
        return line.decode(errors="replace")

    def _death(self):
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace").strip().splitlines()
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        return f"ended with {how}" + (f": {said[-1]}" if said else "")

    def close(self):
        """Ends the peer. Its answers are no longer wanted, so it need not be asked nicely."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        try:
            self._process.stdin.close()
        except OSError:  # what was not read before it died
            pass
        self._stderr.close()
