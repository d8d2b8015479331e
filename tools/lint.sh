#!/bin/bash
# tools/lint.sh [--fix]: formatting and static analysis of the files that git tracks. --fix repairs
# what can be repaired.
set -uo pipefail
cd "$(dirname "$0")/.."

readonly BUILDIFIER_VERSION=8.2.1

die() {
  printf 'lint: %s\n' "$@" >&2
  exit 1
}

fix=
[[ ${1:-} != --fix ]] || fix=1

for tool in clang-format clang-tidy npm; do
  command -v "$tool" >/dev/null || die "$tool is missing. On Debian: apt-get install --no-install-recommends $tool"
done

# npm brings Bazel's formatter; its cache lies outside the tree.
npm_root=${XDG_CACHE_HOME:-~/.cache}/nanotime/npm
buildifier=$npm_root/node_modules/.bin/buildifier
[[ $(cat "$npm_root/version" 2>/dev/null) == "$BUILDIFIER_VERSION" ]] ||
  { mkdir -p "$npm_root" &&
    npm install --silent --no-audit --no-fund --prefix "$npm_root" "@bazel/buildifier@$BUILDIFIER_VERSION" >&2 &&
    echo "$BUILDIFIER_VERSION" >"$npm_root/version"; } || die "npm cannot install @bazel/buildifier"

# Bazel 4 has no rules_python and no rules_shell to load from.
readonly BUILDIFIER_FLAGS=(-warnings=-native-py,-native-sh-binary,-native-sh-test)

mapfile -t cpp < <(git ls-files '*.c' '*.cc' '*.h')
mapfile -t sources < <(git ls-files '*.cc')
mapfile -t bazel < <(git ls-files '*.bzl' '*BUILD.bazel' '*WORKSPACE' '*WORKSPACE.bzlmod' MODULE.bazel)
((${#cpp[@]} && ${#bazel[@]})) || die "git tracks no sources here"

failed=()

if [[ $fix ]]; then
  clang-format -i "${cpp[@]}" || failed+=(clang-format)
  "$buildifier" -mode=fix -lint=fix "${BUILDIFIER_FLAGS[@]}" "${bazel[@]}" || failed+=(buildifier)
else
  clang-format --dry-run --Werror "${cpp[@]}" || failed+=(clang-format)
  "$buildifier" -mode=check -lint=warn "${BUILDIFIER_FLAGS[@]}" "${bazel[@]}" || failed+=(buildifier)
fi

# clang-tidy sees the sources as a build for amd64 does; Bazel knows where the dependencies' headers are.
./bazelw build --nobuild --noshow_progress --ui_event_filters=-info //... || die "the build files have errors"
# What the sources include and the build makes.
./bazelw build --noshow_progress --ui_event_filters=-info //tests:every_instruction_test >/dev/null 2>&1 ||
  die "//tests:every_instruction_test does not build"
external=$(./bazelw info output_base 2>/dev/null)/external
FLAGS="-std=c++17 -I. -I$(./bazelw info bazel-bin 2>/dev/null)"
for include in com_google_absl com_google_googletest/google{test,mock}/include com_github_google_benchmark/include nlohmann_json/include; do
  FLAGS+=" -isystem $external/$include"
done
export FLAGS
# Findings go to standard output; standard error only counts the warnings that were not asked for.
# What only the 32-bit arches build is seen as one of them builds it, with g++-i686-linux-gnu's headers.
printf '%s\0' "${sources[@]}" |
  xargs -0 -n 1 -P "$(nproc)" sh -c '
    case $1 in *_ilp32.cc | *_386.cc) FLAGS="$FLAGS --target=i686-linux-gnu" ;; esac
    clang-tidy --quiet "$1" -- $FLAGS 2>/dev/null' tidy ||
  failed+=(clang-tidy)

((${#failed[@]} == 0)) || die "failed: ${failed[*]} ('tools/lint.sh --fix' repairs formatting)"
echo "lint: ${#cpp[@]} C++ and ${#bazel[@]} Bazel files are fine"
