#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# sanitized-tools.sh: print a directory of the cache with objtrace(1) for this machine, built with
# the sanitizers for addresses and undefined behaviour. Several tests use it, and it is built once.

. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2317  # fill_once calls it
build() {	# build DIR
	make -s -C "$TOP/tools/objtrace" OUT="$1" \
		CFLAGS="-g -O1 -Werror -fsanitize=address,undefined -fno-sanitize-recover=all" >&2
}

cache_init
cd "$TOP" || exit
sources=$(find tools/objtrace -path '*/node_modules' -prune -o -type f -name '[!.]*' ! -name '*.o' \
	! -name objtrace ! -name page.html -print | sort)
# shellcheck disable=SC2086  # words
key=$(gcc --version | cat - "$0" dkms.conf $sources | sha256sum | cut -c1-12)
DIR=$CACHE/build/tools-asan-$key
mkdir -p "$CACHE/build"
find "$CACHE/build" -maxdepth 1 -name 'tools-asan-*' ! -path "$DIR" -mtime +7 -exec rm -rf {} +
fill_once tools-asan "$DIR" build
echo "$DIR"
