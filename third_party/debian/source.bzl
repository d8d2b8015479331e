"""Repository rules for Debian 12: upstream's sources, and the few repositories that Bazel 4 wants beside them."""

def _debian_source_impl(rctx):
    # Only for the messages: a long silence would look like a hang.
    rctx.report_progress("Debian source package " + rctx.attr.package)
    fetched = rctx.execute(
        [rctx.path(Label("//third_party/debian:fetch_source.sh")), rctx.attr.package, rctx.attr.version],
        timeout = 900,
    )
    if fetched.return_code != 0:
        fail("@%s:\n%s" % (rctx.name, fetched.stderr))

    # Not rctx.extract: it would have to be told the name of the tarball's top directory.
    unpacked = rctx.execute(["tar", "-xf", fetched.stdout.strip(), "--strip-components=1"])
    if unpacked.return_code != 0:
        fail("@%s: %s" % (rctx.name, unpacked.stderr))
    if rctx.attr.build_file:
        rctx.symlink(rctx.attr.build_file, "BUILD.bazel")

debian_source = repository_rule(
    implementation = _debian_source_impl,
    doc = "The upstream tarball of a Debian source package, with upstream's own BUILD files, or build_file.",
    attrs = {
        "package": attr.string(mandatory = True),
        "build_file": attr.label(doc = "For sources that have none.", allow_single_file = True),
        "version": attr.string(mandatory = True, doc = "Upstream's version, without Debian's revision."),
    },
)

def _debian_platforms_impl(rctx):
    root = "/usr/share/bazel/platforms/"
    rctx.file("WORKSPACE", 'workspace(name = "platforms")\n')
    rctx.symlink(root + "BUILD", "BUILD.bazel")
    rctx.symlink(root + "os", "os")
    rctx.file("cpu/BUILD.bazel", rctx.read(root + "cpu/BUILD") + """
[constraint_value(
    name = name,
    constraint_setting = ":cpu",
) for name in ["wasm32", "wasm64"]]
""")

debian_platforms = repository_rule(
    implementation = _debian_platforms_impl,
    doc = "Debian's @platforms, with two constraints that it lacks and Abseil's BUILD files name.",
)
