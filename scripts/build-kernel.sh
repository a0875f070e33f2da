#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build-kernel.sh [--config] ROW ARCH
#
# Build a kernel of own-kernels.tbl in the cache, as fetch-kernel.sh fetches a kernel of Debian.
# Nothing is built if the cache has the kernel and its fragments and compiler are the same.
# OBJTRACE_REFRESH=1 looks for a newer source. A run that was interrupted is continued. With
# --config, the script makes only the configuration, and prints its file.
#
# own/ROW-ARCH/		the files for builds of modules, and for own-kernel.sh
#		key	checksum of the source, the fragments and the compiler
#		version	of the source package
# own/ROW-ARCH.build/	the build; only after a build that failed or was interrupted
# own/source-VERSION/	the source; deleted when it was not used for a week
# kernels/ROW-ARCH/	as in fetch-kernel.sh

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/apt.sh"

# Change this number if the script builds other kernels from the same fragments
FORMAT=1

# What the build of a kernel needs beside the compiler and the packages of deps.sh
PACKAGES=(bc bison flex libelf-dev)

compiler_packages() {
	case $ROW_CC in
	clang-*)	echo "$ROW_CC" "lld-${ROW_CC#*-}" "llvm-${ROW_CC#*-}" ;;
	*)		echo "$ROW_CC$(cross_prefix "$ARCH" | sed 's/^/-/; s/_/-/g; s/-$//')" ;;
	esac
}

# Print the lines of a fragment.
fragment() {	# fragment NAME
	case $1 in
	tests)	cat "$TOP/selftests/config" "$TOP/selftests/config.$ARCH" ;;
	needed)
		awk '/^# Needed by / { on = !/^# Needed by (test\.d\/|no test:)/ } on' \
			"$TOP/selftests/config" "$TOP/selftests/config.$ARCH"
		;;
	*)	echo "# Needed by row:"; cat "$TOP/selftests/kernels/$1.config" ;;
	esac
}

fragments() {
	local name
	for name in $ROW_FRAGMENTS; do fragment "$name"; done
}

# Print the lines of the fragments that set an option, the last one for each option. The kernel
# may lack the options that no test needs.
wanted_options() {
	fragments | awk '
		/^# Needed by / { ignored = /^# Needed by no test:$/ }
		ignored { next }
		/^CONFIG_[A-Z0-9_]+=/ { split($1, part, "="); line[part[1]] = $0 }
		/^# CONFIG_[A-Z0-9_]+ is not set$/ { line[$2] = $0 }
		END { for (option in line) print line[option] }' | sort
}

# Print the wanted options that the final configuration does not have. kconfig drops an option
# without a word if it depends on another option that is off.
lost_options() {	# lost_options CONFIG
	wanted_options | awk '
		FILENAME == ARGV[1] {
			if (/^CONFIG_/) set[substr($0, 1, index($0, "=") - 1)]
			has[$0]
			next
		}
		/^#/ { if ($2 in set) print $2 "=n"; next }
		!($0 in has)' "$1" -
}

# Print the variables of make.
make_flags() {
	local prefix
	prefix=$(cross_prefix "$ARCH")
	echo "ARCH=${ARCH/x86_64/x86}"
	case $ROW_CC in
	clang-*)	echo "LLVM=-${ROW_CC#*-}" ;;
	*)		printf '%s\n' "CC=$prefix$ROW_CC" "HOSTCC=$ROW_CC" "CROSS_COMPILE=$prefix" ;;
	esac
	printf '%s\n' KBUILD_BUILD_USER=objtrace KBUILD_BUILD_HOST=objtrace
}

kbuild() {	# kbuild WORD...
	make -s -C "$SOURCE" "O=$BUILD" "${FLAGS[@]}" "$@" >>"$BUILD/log" 2>&1 ||
		die "the kernel $ROW $ARCH cannot be built, see $BUILD/log:
$(grep -m8 -E '(error|Error|ERROR)[: ]|undefined|not found' "$BUILD/log" || tail -n 5 "$BUILD/log")"
}

newest_version() {
	local version
	apt_ready
	version=$(apt_packages "$ROW_SUITE" "$(dpkg --print-architecture)" |
		awk -v name="linux-source-$ROW_SERIES" '$1 == name { print $2 }' | sort -V | tail -n 1)
	[ -n "$version" ] || die "$ROW_SUITE has no linux-source-$ROW_SERIES; change row $ROW of scripts/own-kernels.tbl"
	echo "$version"
}

# Print the version that was built last, or else the newest one.
wanted_version() {
	if [ -z "${OBJTRACE_REFRESH:-}" ] && [ -s "$DIR/version" ]; then
		cat "$DIR/version"
	else
		(lock apt; newest_version)
	fi
}

# shellcheck disable=SC2317  # fill_once calls it
unpack() {	# unpack DIR
	local deb
	apt_ready
	say "  fetching linux-source-$ROW_SERIES $VERSION"
	deb=$(apt_fetch "linux-source-$ROW_SERIES:$(dpkg --print-architecture)=$VERSION")
	dpkg-deb --fsys-tarfile "$deb" | tar xO --wildcards '*.tar.xz' | tar xJ -C "$1" --strip-components=1
}

# Make the configuration, and check that it has all options of the fragments.
configure() {
	local all=$BUILD/fragments
	{
		fragments
		echo "CONFIG_LOCALVERSION=\"-$ROW\""
	} >"$all"
	kbuild "KCONFIG_ALLCONFIG=$all" allnoconfig
	LOST=$(lost_options "$BUILD/.config")
	[ -z "$LOST" ] || die "the configuration of $ROW $ARCH lacks options of its fragments, see $BUILD/.config: $(xargs <<<"$LOST")"
}

# Copy the files for builds of modules, and for own-kernel.sh. Of vmlinux, kbuild reads the
# BTF. The image must not be older than vmlinux.
collect() {	# collect DIR
	local image
	kbuild run-command "KBUILD_RUN_COMMAND=$SOURCE/scripts/package/install-extmod-build $1"
	case $ARCH in
	x86_64)	image=arch/x86/boot/bzImage ;;
	arm64)	image=arch/arm64/boot/Image ;;
	esac
	"$(cross_prefix "$ARCH")objcopy" --strip-debug "$BUILD/vmlinux" "$1/vmlinux"
	{
		echo "$image"
		printf '%s\n' .config include/config/auto.conf modules.order
		sed 's/\.o$/.ko/' "$BUILD/modules.order"
	} | (cd "$BUILD" && cpio --quiet -pdum "$1")
	touch "$1/$image"
	echo "$VERSION" >"$1/version"
	echo "$KEY" >"$1/key"
}

build() {
	# shellcheck disable=SC2046  # words
	"$TOP/scripts/deps.sh" "${PACKAGES[@]}" >&2
	(fill_once apt "$SOURCE" unpack)
	touch "$SOURCE"
	find "$CACHE/own" -maxdepth 1 -name 'source-*' -mtime +7 -exec rm -rf {} +
	# A build with other options or another compiler cannot be continued
	if [ "$(cat "$BUILD/key" 2>/dev/null)" != "$KEY" ]; then rm -rf "$BUILD"; fi
	mkdir -p "$BUILD"
	echo "$KEY" >"$BUILD/key"
	configure
	if [ -n "$ONLY_CONFIG" ]; then return; fi
	say "  building the kernel $ROW $ARCH of $VERSION, which takes 10 to 30 minutes of CPU time"
	# shellcheck disable=SC2046  # words
	kbuild "-j$(nproc)" $(own_fragments | xargs -r sed -n 's/^# make: //p') all
	rm -rf "$DIR.new"
	collect "$DIR.new"
	publish "$DIR.new" "$DIR"
	rm -rf "$BUILD"
}

key() {
	{
		echo "$FORMAT $VERSION $ROW_CC"
		"$ROW_CC" --version
		pahole --version
		# The other lines name tests or explain, and change no kernel
		fragments | grep -E '^(CONFIG_|# CONFIG_|# make: )'
	} | sha256sum | cut -c1-16
}

is_built() { [ "$(cat "$DIR/key" 2>/dev/null)" = "$KEY" ]; }

ONLY_CONFIG=
if [ "${1:-}" = --config ]; then ONLY_CONFIG=1; shift; fi
[ $# -eq 2 ] || die "usage: build-kernel.sh [--config] ROW ARCH"
ROW=$1
ARCH=$(arch_name "$2")
row_load "$ROW" "$ARCH"
[ -n "$ROW_FRAGMENTS" ] || die "$ROW $ARCH is no row of scripts/own-kernels.tbl"
cache_init
# A module for the kernel needs this compiler, too
# shellcheck disable=SC2046  # words
"$TOP/scripts/deps.sh" $(compiler_packages) >&2
DIR=$CACHE/own/$ROW-$ARCH
BUILD=$DIR.build
mkdir -p "$CACHE/own"
VERSION=$(wanted_version)
SOURCE=$CACHE/own/source-$VERSION
mapfile -t FLAGS < <(make_flags)
KEY=$(key)
if [ -n "$ONLY_CONFIG" ]; then
	lock own-kernels
	build
	echo "$BUILD/.config"
	exit
fi
if ! is_built; then
	# One build at a time: each uses all CPUs. Another run may build this kernel meanwhile.
	lock own-kernels
	if ! is_built; then build; fi
fi
"$TOP/scripts/own-kernel.sh" --row "$ROW" "$DIR" >/dev/null
