"""What the examples' packages share."""

# For programs whose stacks or whose start are their own: what the compiler adds for a sanitizer or
# for coverage expects the C library's.
NOT_INSTRUMENTED = select({
    "//examples:coverage": ["//examples:no_platform"],
    "//examples:sanitizer": ["//examples:no_platform"],
    "//conditions:default": [],
})

# The last argument of a test that starts a program: what runs the test does not run what it starts.
EMULATOR = select({
    "//:linux_arm": ["/usr/bin/qemu-arm-static"],
    "//:linux_arm64": ["/usr/bin/qemu-aarch64-static"],
    "//conditions:default": [],
})
