"""Writes the file system that a Linux kernel starts from: a cpio archive in the "newc" format.

The format is the kernel's Documentation/driver-api/early-userspace/buffer-format.rst.
"""

import stat

_DIRECTORY = stat.S_IFDIR | 0o755
_PROGRAM = stat.S_IFREG | 0o755
_CONSOLE = stat.S_IFCHR | 0o600


def _pad(data):
    return data + b"\0" * (-len(data) % 4)


def _entry(number, name, mode, data=b"", device=(0, 0)):
    name = name.encode() + b"\0"
    fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name), 0]
    header = b"070701" + b"".join(b"%08X" % field for field in fields)
    return _pad(header + name) + _pad(data)


def initramfs(init, tests):
    """Returns an archive with /init, /tests/* and what they need to start.

    Args:
      init: the contents of /init.
      tests: {name: contents} of the programs in /tests.
    """
    entries = [(name, _DIRECTORY) for name in ("dev", "proc", "sys", "tests", "tmp")]
    entries.append(("dev/console", _CONSOLE, b"", (5, 1)))
    entries.append(("init", _PROGRAM, init))
    entries += [("tests/" + name, _PROGRAM, data) for name, data in tests.items()]
    entries.append(("TRAILER!!!", 0))
    return b"".join(_entry(number, *entry) for number, entry in enumerate(entries))
