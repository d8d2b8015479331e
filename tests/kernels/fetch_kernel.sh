#!/bin/bash
# fetch_kernel.sh ARCHITECTURE METAPACKAGE
#
# Prints the path of the kernel that a Debian metapackage depends on, downloading it into the user's
# cache when none is there yet. Once cached, neither apt nor a network is needed; to have a newer
# one, remove it. Exits with 75 when it cannot be downloaded now.
#
# The ordinary apt client does the work and checks signatures and hashes, but in a private root of
# the wanted architecture, from the system's own Debian sources: no privilege is needed, nothing is
# installed, and the system's apt state stays as it is.
set -euo pipefail

readonly architecture=$1 metapackage=$2
# Unquoted: bash finds the home directory even when HOME is unset, as it is in Bazel's tests.
cache=${XDG_CACHE_HOME:-~/.cache}
cache=$cache/nanotime/kernels/$metapackage

die() {
  local status=$1
  shift
  printf 'fetch_kernel.sh: %s\n' "$@" >&2
  exit "$status"
}

cached() { compgen -G "$cache/vmlinuz-*" | sort -V | tail -n 1; }

# Writes the private root's configuration; needs the lists that the system's "apt-get update" left.
configure() {
  apt-get indextargets 'Created-By: Packages' 'Origin: Debian' \
    --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' | grep -v ' cdrom:' | sort -u >"$root/sources.list" ||
    die 1 "apt knows no Debian package lists. On Debian, run 'apt-get update' as root, then try again."
  mkdir -p "$root"/{lists,cache,state}/partial
  # Read after the system's configuration, so that its proxies still count. Its hooks are for its own
  # lists; the private directories may be closed to the user that apt would switch to.
  cat >"$root/apt.conf" <<CONF
#clear APT::Architectures;
#clear APT::Update;
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
Dir::Cache "$root/cache";
Dir::Etc::SourceList "$root/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$root/state";
Dir::State::Lists "$root/lists";
Dir::State::Status "/dev/null";
CONF
}

download() {
  # One source out of order, as a mirror in the middle of an update has, leaves the others usable.
  apt-get -q -c "$root/apt.conf" update >&2 || updated=
  package=$(apt-cache -c "$root/apt.conf" show --no-all-versions "$metapackage" |
    sed -n 's/^Depends: \(linux-image-[^ ,]*\).*/\1/p')
  [[ $package ]] && apt-get -q -c "$root/apt.conf" download "$package" >&2
}

cached && exit
mkdir -p "$cache"
root=$(mktemp -d -p "$cache")
trap 'rm -rf "$root"' EXIT
configure
cd "$root"
for pause in 2 10 0; do
  updated=yes
  download && break
  [[ $package || ! $updated ]] || die 1 "the system's Debian sources have no '$metapackage' for $architecture."
  ((pause)) || die 75 "cannot download '$metapackage' for $architecture (see apt's messages above)." \
    "The first run needs Debian's mirror; later ones work without a network."
  sleep "$pause"
done
dpkg-deb --fsys-tarfile "$package"_*.deb | tar -x --wildcards './boot/vmlinuz-*'
mv boot/vmlinuz-* "$cache/"
cached
