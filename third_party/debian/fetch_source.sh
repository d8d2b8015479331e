#!/bin/bash
# fetch_source.sh PACKAGE VERSION
#
# Prints the path of the upstream tarball of a Debian source package, downloading it into the user's
# cache when it is not there yet. Once cached, neither apt nor a network is needed.
#
# The ordinary apt client does the work and checks signatures and hashes, but in a private root: no
# privilege is needed and the system's apt state stays as it is. The sources are the system's own
# Debian ones, with "deb" turned into "deb-src".
set -euo pipefail

readonly package=$1 version=$2
# Unquoted: bash finds the home directory even when HOME is unset.
cache=${XDG_CACHE_HOME:-~/.cache}
cache=$cache/nanotime/sources
apt_root=$cache/apt

die() {
  printf 'fetch_source.sh: %s\n' "$@" >&2
  exit 1
}

cached() {
  local f
  for f in "$cache/${package}_$version".orig.tar.*; do
    [[ -f $f ]] && echo "$f" && return
  done
  return 1
}

readonly other_release="WORKSPACE serves Debian 12 (bookworm) and its Bazel 4. Elsewhere use Bazel 7 or \
newer, which takes the dependencies from MODULE.bazel instead."

private_apt() { apt-get -qq -c "$apt_root/apt.conf" "$@" >&2; }

# Writes the private root's configuration; needs the lists that the system's "apt-get update" left.
configure() {
  local sources
  sources=$(apt-get indextargets 'Created-By: Packages' 'Origin: Debian' \
    --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' | grep -v ' cdrom:' | sort -u) || true
  [[ -n $sources ]] ||
    die "apt knows no Debian package lists yet. Run 'apt-get update' as root, then try again."
  mkdir -p "$apt_root"/{lists,cache,state}/partial
  echo "$sources" >"$apt_root/sources.list"
  # Read after the system's configuration, so that its proxies still count. Its hooks are for its own
  # lists; the private directories may be closed to the user that apt would switch to.
  cat >"$apt_root/apt.conf" <<CONF
#clear APT::Update;
APT::Update::Error-Mode "any";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::Etc::SourceList "$apt_root/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State "$apt_root/state";
Dir::State::Lists "$apt_root/lists";
Dir::Cache "$apt_root/cache";
CONF
}

download() {
  # The dependencies are fetched in one go: one update serves them all.
  if [[ -z $(find "$apt_root/updated" -mmin -60 2>/dev/null) ]]; then
    private_apt update || return
    touch "$apt_root/updated"
  fi
  private_apt source --download-only --only-source "$package"
}

cached && exit
command -v apt-get >/dev/null || die "there is no apt-get. $other_release"
mkdir -p "$cache"
exec 9>"$cache/lock"  # Bazel may fetch several repositories at the same time.
flock 9
cached && exit
configure
rm -rf "$apt_root/download"
mkdir "$apt_root/download"
cd "$apt_root/download"
for pause in 2 10 0; do
  download && break
  ((pause)) || die "cannot download the source package '$package' (see apt's messages above)." \
    "The first build needs Debian's mirror; later ones work without a network."
  sleep "$pause"
done
compgen -G "${package}_$version.orig.tar.*" >/dev/null ||
  die "this system's Debian has '$package' in another version than $version: $(echo *.dsc)." "$other_release"
mv -f "${package}_$version".orig.tar.* "$cache/"
rm -rf "$apt_root/download"
cached
