#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# folders_test.sh: a folder without sources is an error for the build, the unit tests and
# the static checks. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
TREE=$WORK/tree

copy_tree() {
	mkdir "$TREE"
	(cd "$TOP" && find . -name .git -prune -o -type f \
		! -name '*.o' ! -name '*.cmd' -print0 | cpio --quiet -0 -pdm "$TREE")
}

# dkms and make run kbuild, which reads this file
kbuild() { printf 'all:\n\t@echo fine\n' | cat "$TREE/Kbuild" - | make -s -f - "src=$TREE" all 2>&1; }
unit_tests() { make -s -n -C "$TREE/selftests/unit" check 2>&1; }
build() { OBJTRACE_CACHE=$WORK/cache "$TREE/scripts/build-module.sh" 6.12-new x86_64 2>&1; }

# The whole script needs the sources of a kernel, so the test only makes its list of files.
static_checks() {
	bash -c ". '$TREE/scripts/lib.sh'
		$(sed -n '/^files() {/,/^}/p; /^module_patterns() {/,/^}/p; /^unmatched_patterns() {/,/^}/p' \
			"$TREE/scripts/static-checks.sh")
		unmatched_patterns"
}

fails() {	# fails FUNCTION WHAT-IT-SAYS
	local said
	said=$("$1") || true
	[[ $said == *$2* ]] || echo "the output is: ${said:-nothing}"
}

passes() {	# passes FUNCTION [OUTPUT]
	local said
	said=$("$1") || echo "failed"
	[[ $said == *${2:-}* ]] || echo "the output is: ${said:-nothing}"
}

copy_tree
tap "$(passes kbuild fine)" "kbuild accepts a tree with all folders"
tap "$(passes unit_tests)" "the unit tests accept a tree with all folders"
tap "$(static_checks)" "the static checks have files for each of their patterns"
rm "$TREE"/records/*.c
EMPTY="no .c file in records/"
tap "$(fails kbuild "$EMPTY")" "kbuild fails if a folder is empty"
tap "$(fails unit_tests "$EMPTY")" "the unit tests accept a tree with all folders"
tap "$(fails build "$EMPTY")" "build-module.sh fails if a folder is empty"
tap "$(fails static_checks "$EMPTY")" "checkpatch and kernel-doc fail if a folder is empty"
sed -i '/\//d' "$TREE/Kbuild"
NONE="Kbuild names no folder"
tap "$(fails unit_tests "$NONE")" "the unit tests fail if Kbuild names no folder"
tap "$(fails build "$NONE")" "build-module.sh fails if a folder is empty"
tap "$(fails static_checks "$NONE")" "checkpatch and kernel-doc fail if a folder is empty"
echo "1..$CASES"
