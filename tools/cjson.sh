#!/bin/sh
# SPDX-License-Identifier: MIT
# Puts cJSON's source (Debian's, with its patches) into build/cjson.
# Needs no root: apt is given a list and a state folder of its own, made from the
# machine's own entries of Debian's archive (same hosts), and both are removed afterwards.
set -eu

PACKAGE=cjson
UPSTREAM=1.7.15
ORIG_SHA256=5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2
MINIMUM=1.7.15-1+deb12u4

top=$(cd "$(dirname "$0")/.." && pwd)
out=$top/build/cjson

say() { printf 'cjson: %s\n' "$*" >&2; }

by_hand() {
	say "$1"
	cat >&2 <<TEXT
To go on without it, fetch the source of cJSON $UPSTREAM or newer by your own means
(the two files cJSON.c and cJSON.h are enough) and name its folder:
    make CJSON_DIR=/path/to/cJSON
TEXT
	exit 1
}

if [ -f "$out/cJSON.c" ] && [ -f "$out/.complete" ]; then
	exit 0
fi

for tool in apt-get dpkg-source patch sha256sum; do
	command -v "$tool" >/dev/null 2>&1 || by_hand "'$tool' is missing. On Debian, 'make setup' as root installs all that is needed."
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"

# Debian's own entries, with the hosts of this machine; those of others and backports have another origin.
entries() {
	apt-get "$@" indextargets --format '$(ORIGIN)|$(COMPONENT)|$(REPO_URI)|$(RELEASE)' 'Created-By: Packages' |
		sed -n 's/^Debian|main|//p' | sort -u
}
entries >"$work/entries"
if [ ! -s "$work/entries" ]; then # this machine's lists were removed, as in many images
	mkdir -p "$work/own/partial"
	apt-get -q -o Dir::State::Lists="$work/own" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root \
		-o Debug::NoLocking=1 update >"$work/log" 2>&1 || { cat "$work/log" >&2; by_hand "apt-get update failed."; }
	entries -o Dir::State::Lists="$work/own" >"$work/entries"
fi
[ -s "$work/entries" ] || by_hand "apt knows no Debian archive here."

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir "$work/parts"
while IFS='|' read -r uri release; do
	printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\n' "$uri" "$release"
	[ ! -f "$keyring" ] || printf 'Signed-By: %s\n' "$keyring"
	printf '\n'
done <"$work/entries" >"$work/parts/weft.sources"

apt() {
	apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" \
		-o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" \
		-o APT::Sandbox::User=root -o Debug::NoLocking=1 "$@"
}
apt update >"$work/log" 2>&1 || { cat "$work/log" >&2; by_hand "the list of source packages could not be read."; }
(cd "$work/source" && apt source --download-only "$PACKAGE") >"$work/log" 2>&1 ||
	{ cat "$work/log" >&2; by_hand "the source package could not be fetched."; }

dsc=$(ls "$work"/source/*.dsc)
version=$(sed -n 's/^Version: //p' "$dsc" | head -n 1)
case "$version" in
"$UPSTREAM"-*) ;;
*) by_hand "this release carries cjson $version; the build is pinned to $UPSTREAM." ;;
esac
dpkg --compare-versions "$version" ge "$MINIMUM" ||
	by_hand "cjson $version lacks security fixes; $MINIMUM or newer is needed."
sum=$(sha256sum "$work"/source/*.orig.tar.* | grep -v '\.asc$' | cut -d ' ' -f 1 | head -n 1)
[ "$sum" = "$ORIG_SHA256" ] || by_hand "the archive's SHA-256 is $sum, expected $ORIG_SHA256."

dpkg-source --no-check -x "$dsc" "$work/tree" >"$work/log" 2>&1 ||
	{ cat "$work/log" >&2; by_hand "the source package could not be unpacked."; }
rm -rf "$out"
mkdir -p "$out"
cp "$work/tree/cJSON.c" "$work/tree/cJSON.h" "$work/tree/LICENSE" "$out/"
printf '%s\n' "$version" >"$out/.complete"
say "cjson $version is in build/cjson"
