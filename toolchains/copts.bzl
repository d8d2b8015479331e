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

# For what is embedded: nothing but the C interface is visible to the embedder.
NANOTIME_CORE_COPTS = NANOTIME_COPTS + ["-fvisibility=hidden"]
