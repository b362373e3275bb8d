#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints a folder that holds clang, llvm-profdata and llvm-cov, 18 or newer: what measures MC/DC. That of $CLANG_MCDC or of
# the newest that the machine has; else Debian's clang 19 is unpacked below the folder given ($1), beside the system, from
# the mirror that apt knows. No root is needed.
set -eu

folder=$1
stop() { printf 'clang: %s\n' "$*" >&2; exit 1; }

version_of() { "$1" -dumpversion 2>/dev/null | cut -d. -f1; }
measures() { # clang: it is new enough and has its LLVM's tools beside it
	version=$(version_of "$1")
	[ "${version:-0}" -ge 18 ] || return 1
	bin=$("$1" -print-prog-name=llvm-cov)
	[ -x "$bin" ] && [ -x "${bin%/*}/llvm-profdata" ] && [ -x "${bin%/*}/clang" ] && printf '%s\n' "${bin%/*}"
}

if [ -n "${CLANG_MCDC:-}" ]; then
	measures "$CLANG_MCDC" || stop "CLANG_MCDC=$CLANG_MCDC is no clang 18 or newer with llvm-cov and llvm-profdata"
	exit 0
fi
for clang in clang $(ls /usr/bin /usr/local/bin 2>/dev/null | grep -E '^clang-[0-9]+$' | sort -t- -k2 -rn); do
	! command -v "$clang" >/dev/null 2>&1 || ! measures "$clang" || exit 0
done

release=trixie llvm=19
if [ ! -f "$folder/.complete" ]; then
	command -v apt-get >/dev/null 2>&1 || stop "clang 18 or newer is needed, with llvm-cov (CLANG_MCDC=/its/path)"
	mkdir -p "$folder"
	folder=$(cd "$folder" && pwd)
	mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$folder/apt/parts"
	: >"$folder/apt/status"
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1)
	[ -n "$mirror" ] || stop "apt knows no mirror of Debian"
	printf 'deb [signed-by=%s] %s %s main\n' /usr/share/keyrings/debian-archive-keyring.gpg "$mirror" "$release" >"$folder/apt/sources.list"
	apt_there() {
		apt-get -q -o Acquire::Retries=3 -o APT::Sandbox::User="$(id -un)" -o Dir::Etc::SourceList="$folder/apt/sources.list" \
			-o Dir::Etc::SourceParts="$folder/apt/parts" -o Dir::State::Lists="$folder/apt/lists" -o Dir::State::Status="$folder/apt/status" \
			-o Dir::State::extended_states="$folder/apt/extended" -o Dir::Cache="$folder/apt" -o Dir::Cache::Archives="$folder/apt/archives" -o Debug::NoLocking=1 "$@"
	}
	{ apt_there update && apt_there install -y --download-only --no-install-recommends "clang-$llvm" "llvm-$llvm" "libclang-rt-$llvm-dev"; } >"$folder/apt/log" 2>&1 ||
		{ tail -n 20 "$folder/apt/log" >&2; stop "apt brought no clang $llvm of $release"; }
	for package in "$folder"/apt/archives/*.deb; do dpkg-deb --extract "$package" "$folder"; done
	rm -rf "$folder/apt/archives"
	# Its programs run with the C library that they were built for; what they compile uses this machine's headers and linker.
	loader=$(ls "$folder"/usr/lib64/ld-linux*.so.* "$folder"/usr/lib/ld-linux*.so.* 2>/dev/null | head -n 1)
	libraries=$folder/usr/lib/llvm-$llvm/lib:$(dirname "$(find "$folder/usr/lib" -name 'libLLVM.so.*' -path '*-linux-*' | head -n 1)")
	mkdir -p "$folder/bin"
	for program in clang llvm-cov llvm-profdata; do
		words=
		[ "$program" != clang ] || words=" -resource-dir $folder/usr/lib/llvm-$llvm/lib/clang/$llvm"
		printf '#!/bin/sh\nexec %s --library-path %s %s/usr/lib/llvm-%s/bin/%s%s "$@"\n' "$loader" "$libraries" "$folder" "$llvm" "$program" "$words" >"$folder/bin/$program"
		chmod +x "$folder/bin/$program"
	done
	: >"$folder/.complete"
fi
cd "$folder/bin" && pwd
