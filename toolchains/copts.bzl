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

# For what is embedded: nothing but the C interface is visible to the embedder, and a noexcept function
# does not want the C++ runtime; a debugger and a profiler still get through. It needs no symbol that
# a program without a C library would lack (//tests:object_files_test).
NANOTIME_CORE_COPTS = NANOTIME_COPTS + [
    "-fvisibility=hidden",
    "-fno-exceptions",
    "-funwind-tables",
    # The guard's value lies behind the thread pointer, which a program's _start has yet to set.
    "-fno-stack-protector",
    # GCC forgets a declaration's tls_model where it sees the definition.
    "-ftls-model=initial-exec",
] + select({
    "//:linux_arm": [
        "-include",
        "runtime/sys/unwind_arm.h",
        # Or Clang calls __aeabi_read_tp.
        "-mtp=cp15",
    ],
    # Or atomics are libgcc's functions, which ask the C library for the CPU's features.
    "//:linux_arm64": ["-mno-outline-atomics"],
    "//conditions:default": [],
})
