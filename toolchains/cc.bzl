"""One C++ toolchain definition for every architecture, by GCC or by clang."""

load("@bazel_tools//tools/cpp:unix_cc_toolchain_config.bzl", "cc_toolchain_config")
load("@rules_cc//cc:defs.bzl", "cc_toolchain")

def linux_toolchain(name, cpu, triple, copts = []):
    """Defines the platform `name` and the toolchain that builds for it.

    Args:
      name: linux_ and Go's name of the architecture.
      cpu: its name in @platforms//cpu.
      triple: GNU's name of it, which prefixes Debian's cross compiler and names its directories.
      copts: flags that only this architecture needs.
    """
    prefix = "/usr/bin/%s-" % triple
    constraints = ["@platforms//os:linux", "@platforms//cpu:" + cpu]

    native.platform(
        name = name,
        constraint_values = constraints,
    )

    # The alternatives differ in the compiler alone: clang uses GCC's binutils, headers and libraries.
    # Bazel links with the C driver: UBSan's C++ part, where it is used, must be asked for.
    configs = {
        "gcc": (prefix + "gcc", [], [], ["-fno-canonical-system-headers"]),
        "clang": ("/usr/bin/clang", ["--target=" + triple], ["-fsanitize-link-c++-runtime"], ["-no-canonical-prefixes"]),
    }
    for compiler, (cc, target, link, unfiltered) in configs.items():
        tools = {tool: prefix + tool for tool in ["ar", "ld", "nm", "objcopy", "objdump", "strip", "dwp", "gcov"]}
        tools.update({
            "gcc": cc,
            "cpp": cc,
            # Bazel asks for it, and uses it only to measure coverage.
            "llvm-cov": "/usr/bin/llvm-cov",
        })
        cc_toolchain_config(
            name = "_%s_%s_config" % (name, compiler),
            abi_libc_version = "local",
            abi_version = "local",
            compile_flags = target + copts + ["-fno-omit-frame-pointer"],
            compiler = compiler,
            # Some tests have threads.
            coverage_compile_flags = ["--coverage", "-fprofile-update=prefer-atomic"],
            coverage_link_flags = ["--coverage"],
            cpu = cpu,
            cxx_builtin_include_directories = ["/usr/include", "/usr/lib", "/usr/%s/include" % triple],
            cxx_flags = ["-std=c++17"],
            dbg_compile_flags = ["-g"],
            host_system_name = "local",
            link_flags = target + link + ["-Wl,-z,relro,-z,now"],
            link_libs = ["-lstdc++", "-lm"],
            opt_compile_flags = ["-O2", "-DNDEBUG", "-ffunction-sections", "-fdata-sections"],
            opt_link_flags = ["-Wl,--gc-sections"],
            target_libc = "glibc",
            target_system_name = triple,
            tool_paths = tools,
            toolchain_identifier = name + "_" + compiler,
            # Headers must be named by the path they were asked for: Bazel compares it with what was
            # declared. And no binary may depend on the hour of its build.
            unfiltered_compile_flags = unfiltered + [
                "-Wno-builtin-macro-redefined",
                '-D__DATE__="redacted"',
                '-D__TIMESTAMP__="redacted"',
                '-D__TIME__="redacted"',
            ],
        )

    cc_toolchain(
        name = "_%s_cc" % name,
        all_files = ":empty",
        ar_files = ":empty",
        as_files = ":empty",
        compiler_files = ":empty",
        dwp_files = ":empty",
        linker_files = ":empty",
        objcopy_files = ":empty",
        strip_files = ":empty",
        toolchain_config = select({
            ":clang": "_%s_clang_config" % name,
            "//conditions:default": "_%s_gcc_config" % name,
        }),
    )

    native.toolchain(
        name = name + "_toolchain",
        exec_compatible_with = ["@platforms//os:linux"],
        target_compatible_with = constraints,
        toolchain = "_%s_cc" % name,
        toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
    )
