"""Compiler flags for the project's own code; what it depends on is built without them."""

NANOTIME_COPTS = [
    "-Wall",
    "-Wextra",
    "-Wcast-qual",
    "-Wformat=2",
    "-Wmissing-declarations",
    "-Wpointer-arith",
    "-Wundef",
    "-Wvla",
    "-Werror",
]
