#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# test.sh [--write]: tests of the page of `objtrace report --html' and of the pictures of --svg, see
# test.py, and of programs without the page. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

# The parts of build.sh's message about a machine without esbuild
refuses_without_esbuild() {
	local said status=0
	mkdir "$WORK/bin"
	ln -s "$(command -v dirname)" "$WORK/bin"
	said=$(PATH=$WORK/bin /bin/sh "$TOP/tools/objtrace/page/build.sh" --check 2>&1) || status=$?
	[ "$status" = 1 ] || echo "exit code $status"
	[ "$said" = "report --html will be missing: its page needs the packages esbuild" ] || echo "$said"
}

# Link the program again, without the page.
refuses_without_page() {
	local said status=0
	cp -r "$PROGRAM" "$WORK/build"
	rm "$WORK/build/objtrace" "$WORK/build/page_template.o"
	make -s -C "$TOP/tools/objtrace" OUT="$WORK/build" PAGE= \
		CFLAGS="-fsanitize=address,undefined" 2>&1 || echo "the program cannot be built"
	said=$("$WORK/build/objtrace" report "$WORK/trace.dat" --html "$WORK/page.html" 2>&1) || status=$?
	[ "$status" = 1 ] || echo "exit code $status"
	[ "$said" = "objtrace: this objtrace was built without the page; install esbuild, node-d3-scale and node-d3-zoom, and build objtrace again" ] ||
		echo "$said"
	[ ! -e "$WORK/page.html" ] || echo "there is a page"
}

"$TOP/scripts/deps.sh" chromium-headless-shell >&2
# libtracecmd leaks memory
export ASAN_OPTIONS=detect_leaks=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
PROGRAM=$("$TOP/scripts/sanitized-tools.sh")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
tap "$(refuses_without_esbuild)" "a machine without esbuild gets a message"
tap "$(refuses_without_page)" "a program without the page refuses --html"
"$TOP/selftests/page/test.py" "$PROGRAM/objtrace" "$WORK" $CASES "$@"
