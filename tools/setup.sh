#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the machine ready: setup.sh build (what `make js` and `make demo` need), setup.sh test
# (also what the tests need) or setup.sh long (also what `make check-long` needs). Quick when nothing is missing, safe to run again or twice at once.
# Looks for programs, not for packages, so that what a user brought along by other means counts.
set -eu

level=${1:-test}
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
mkdir -p build/setup

say() { printf 'setup: %s\n' "$*" >&2; }
stop() { say "$*"; exit 1; }

# One set-up at a time in one checkout.
if [ "${WEFT_SETUP_LOCKED:-}" != 1 ] && command -v flock >/dev/null 2>&1; then
	WEFT_SETUP_LOCKED=1 exec flock build/setup/lock "$0" "$level"
fi

# ---- Node, found before apt runs: Debian's emscripten may bring an older one of its own

node_works() { [ -x "$1" ] && [ "$("$1" -p 'process.versions.node.split(".")[0] >= 20' 2>/dev/null)" = true ]; }

# Every folder of PATH counts: make puts the folder of the last Node first, which may hold an older one by now.
node_on_path() {
	folders=$PATH:
	while [ -n "$folders" ]; do
		candidate=${folders%%:*}/node
		folders=${folders#*:}
		if node_works "$candidate"; then
			printf '%s\n' "$candidate"
			return 0
		fi
	done
	command -v node || true
}

use_node() {
	[ "$(cat build/setup/node 2>/dev/null)" = "$node" ] || printf '%s\n' "$node" >build/setup/node
	PATH=$(dirname "$node"):$PATH
	export PATH
}

node=${NODE:-}
case "$node" in '') ;; */*) ;; *) node=$(command -v "$node" || true) ;; esac
[ -n "$node" ] || node=$(cat build/setup/node 2>/dev/null || true)
node_works "$node" || node=$(node_on_path)
node_works "$node" || stop "Node.js 20 or newer is needed (found: $("$node" --version 2>/dev/null || echo none) ${node:+at $node}). Install it from nodejs.org, put it on PATH, or call: make NODE=/path/to/node"
use_node
command -v npm >/dev/null 2>&1 || stop "npm is needed; it comes with Node.js from nodejs.org"

# ---- programs and libraries

missing=
tell=
need() { # package, what it is, then one command or file (a pattern) of which one must exist
	package=$1 what=$2
	shift 2
	for thing in "$@"; do
		case "$thing" in
		/*) for file in $thing; do [ ! -e "$file" ] || return 0; done ;;
		*) command -v "$thing" >/dev/null 2>&1 && return 0 ;;
		esac
	done
	missing="$missing $package"
	tell="$tell
  - $what (Debian 12: $package)"
}

look() {
	missing= tell=
	clang=${CLANG:-clang-14}
	resources=$("$clang" -print-resource-dir 2>/dev/null || echo /nowhere)
	need gcc "a C compiler" "${CC:-cc}"
	need libc6-dev "the C library's headers" /usr/include/stdio.h /usr/local/include/stdio.h /opt/homebrew/include/stdio.h
	need "clang-14" "clang 14, called $clang" "$clang"
	need "lld-14" "lld for clang (wasm-ld)" wasm-ld-14 wasm-ld /usr/lib/llvm-14/bin/wasm-ld
	need "wasi-libc" "wasi-libc" /usr/lib/wasm32-wasi/libc.a "${WASI_SYSROOT:-/usr}/lib/wasm32-wasi/libc.a"
	need "libclang-rt-14-dev-wasm32" "clang's builtins for wasm32" "$resources/lib/wasi/libclang_rt.builtins-wasm32.a"
	need "binaryen" "binaryen (wasm-opt)" wasm-opt
	need "emscripten" "Emscripten 3.1.6" emcc
	if [ -z "${CJSON_DIR:-}" ] && [ ! -f build/cjson/.complete ]; then
		need "dpkg-dev" "dpkg-dev, to fetch cJSON's source (or CJSON_DIR=)" dpkg-source
		need "patch" "patch" patch
	fi
	[ "$level" != build ] || return 0
	need "libclang-rt-14-dev" "clang's sanitizers and fuzzer" "$resources/lib/linux/libclang_rt.fuzzer*.a" "$resources/lib/darwin/libclang_rt.fuzzer*.a"
	need "binutils" "nm" nm
	need "clang-format-14" "clang-format 14" clang-format-14
	need "clang-tidy-14" "clang-tidy 14" clang-tidy-14
	[ "$(uname -m)" != x86_64 ] || need "valgrind" "valgrind, to count instructions" valgrind
	need "chromium" "Chromium (or CHROMIUM=/its/path)" "${CHROMIUM:-/usr/bin/chromium}"
	if [ -z "${CHROMIUM:-}" ] && command -v apt-get >/dev/null 2>&1; then
		need "chromium-headless-shell" "Chromium's engine without windows" /usr/bin/chromium-headless-shell
	fi
	need "firefox-esr" "Firefox (or FIREFOX=/its/path)" "${FIREFOX:-/usr/bin/firefox-esr}"
	[ "$level" = long ] || return 0
	need "webkit2gtk-driver" "WebKitGTK's driver (or WEBKIT_DRIVER=/its/path)" "${WEBKIT_DRIVER:-/usr/bin/WebKitWebDriver}"
	need "libwebkit2gtk-4.1-0" "WebKitGTK's MiniBrowser (or WEBKIT=/its/path)" "${WEBKIT:-/usr/lib/*/webkit2gtk-4.1/MiniBrowser}"
	need "xvfb" "Xvfb, a screen for WebKit (or XVFB=/its/path)" "${XVFB:-/usr/bin/Xvfb}"
}

apt_patiently() { # the lists' lock has no time limit of its own
	for attempt in 1 2 3 4 5 6 7 8 9 10 11 12; do
		if DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@" >build/setup/apt.log 2>&1; then
			return 0
		fi
		grep -q 'Could not get lock\|Unable to lock' build/setup/apt.log || break
		say "another program uses apt; trying again in 10 s ($attempt of 12)"
		sleep 10
	done
	tail -n 20 build/setup/apt.log >&2
	return 1
}

look
if [ -n "$missing" ]; then
	command -v apt-get >/dev/null 2>&1 || stop "this machine has no apt. Please install, then run this again:$tell"
	if [ "$(id -u)" != 0 ]; then
		stop "packages are missing. Run as root, then try again:
    apt-get update && apt-get install -y --no-install-recommends$missing"
	fi
	say "installing$missing"
	# Debian's emscripten depends on nodejs, which replaces a newer Node that somebody copied to /usr/bin: keep that one.
	kept=
	if [ "$node" = /usr/bin/node ] && ! dpkg-query --search /usr/bin/node >/dev/null 2>&1; then
		mkdir -p build/setup/bin
		kept=$top/build/setup/bin/node
		cp "$node" "$kept"
	fi
	apt_patiently update || stop "apt-get update failed"
	# shellcheck disable=SC2086
	apt_patiently install -y --no-install-recommends $missing ||
		stop "apt could not install:$missing. What is needed:$tell"
	look
	[ -z "$missing" ] || stop "still missing after the installation:$tell"
	if ! node_works "$node"; then
		node=${kept:-$(node_on_path)}
		node_works "$node" || stop "apt has replaced Node.js by an older one. Put Node.js 20 or newer on PATH, or call: make NODE=/path/to/node"
		use_node
	fi
fi

# ---- cJSON's source and the npm packages

[ -n "${CJSON_DIR:-}" ] || ./tools/cjson.sh

lock=$("$node" -p 'require("crypto").createHash("sha256").update(require("fs").readFileSync("package-lock.json")).digest("hex")')
if [ ! -d node_modules ] || [ "$(cat build/setup/npm 2>/dev/null)" != "$lock" ]; then
	say "npm ci"
	rm -f build/setup/npm
	npm ci --no-progress --loglevel=error >build/setup/npm.log 2>&1 || { tail -n 30 build/setup/npm.log >&2; stop "npm ci failed"; }
	printf '%s\n' "$lock" >build/setup/npm
fi
