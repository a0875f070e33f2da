#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Tests of the commands of objtrace(1) that only read. The program, built with the sanitizers, reads
# the files of a small kernel below root/, with the BTF of kernel.c and module.c. Each answer must
# have all of its lines, and the exit code. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"
. "$(dirname "$0")/root.sh"

HERE=$TOP/selftests/program
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
ROOT=$WORK/root

if [ "$(id -u)" -eq 0 ]; then
	AS_ROOT=() AS_USER=(setpriv --reuid=65534 --regid=65534 --clear-groups)
else
	AS_ROOT=(unshare --map-root-user) AS_USER=()
fi
RUN=("${AS_ROOT[@]}")

make_program() {
	local program
	program=$("$TOP/scripts/sanitized-tools.sh")
	mkdir "$WORK/build"
	cp "$program/objtrace" "$WORK/build"
}

# Compare the whole output with stdin, messages included, and the exit code.
answers() {	# answers STATUS WORD...
	local status=0 said wanted
	wanted=$(cat)
	said=$(OBJTRACE_TEST_ROOT=$ROOT "${RUN[@]}" "$WORK/build/objtrace" "${@:2}" 2>&1 </dev/null) || status=$?
	said=$(diff <(echo "$wanted") <(echo "$said") || true)
	[ "$status" = "$1" ] || said+="
the exit code is $status, not $1"
	tap "$said" "objtrace ${*:2} ends with $1"
}

chmod 755 "$WORK"
make_program
make_root "$ROOT" kernel.c
. "$HERE/list.sh"
. "$HERE/doctor.sh"
echo "1..$CASES"
