#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# check-long-test.sh: check-long.sh goes on with its last run. All that it runs are stubs. Prints
# TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

# The caller may have set these for make check
unset ARCH KERNEL RESUME TESTS FUZZ_SECONDS FUZZ_MINUTES

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
TREE=$WORK/tree
export WORK

# A script of the tree that logs its call, and passes unless there is a file $WORK/break-CALL. The
# call is the name and the words that FIELDS prints.
stub() {	# stub PATH [FIELDS]
	mkdir -p "$TREE/${1%/*}"
	cat >"$TREE/$1" <<-EOF
	#!/bin/bash
	call=\$(echo "${1##*/} ${2:-}" | xargs)
	echo "\$call" >>"\$WORK/calls"
	if [ -e "\$WORK/break-\${call// /-}" ]; then echo "not ok it"; else echo "ok it"; fi
	EOF
	chmod +x "$TREE/$1"
}

make_tree() {
	local script row arch
	mkdir -p "$TREE/scripts" "$TREE/selftests/unit" "$TREE/selftests/test.d" "$WORK/cache/locks"
	cp "$TOP"/scripts/{lib,report,check-long}.sh "$TREE/scripts/"
	echo '6.1 x86_64 bookworm 6.1 amd64 bookworm gcc-12 split default' >"$TREE/scripts/kernels.tbl"
	echo 'debug arm64 bookworm 6.12 gcc-12 merged 8 tests' >"$TREE/scripts/own-kernels.tbl"
	for script in deps fetch-kernel fuzz-kernel check-{boot-instance,litmus,panic}; do stub scripts/$script.sh; done
	# shellcheck disable=SC2016  # expanded in the stubs
	stub scripts/check-vm.sh '${TESTS%%.tc*} $OBJTRACE_TRUTH_SEED'
	# shellcheck disable=SC2016
	stub scripts/check.sh '$KERNEL $ARCH ${RESUME:-}'
	stub selftests/unit/fuzz.sh
	stub selftests/report/fuzz.sh
	printf 'explore:\n\t@echo explore >>%s/calls; echo ok 1 it\n' "$WORK" >"$TREE/selftests/unit/Makefile"
	table_rows | while read -r row arch _; do
		mkdir -p "$WORK/cache/kernels/$row-$arch"
		echo version=1 >"$WORK/cache/kernels/$row-$arch/meta"
	done
}

# Sets CALLS, without the preparations, and LAST to the last line of the output
check_long() {	# check_long [VARIABLE=VALUE]...
	local said
	: >"$WORK/calls"
	said=$(env "$@" LONG_SEEDS=2 OBJTRACE_CACHE="$WORK/cache" "$TREE/scripts/check-long.sh" 2>"$WORK/err") || true
	LAST=${said##*$'\n'}
	CALLS=$(sed -E 's/(truth.*) [0-9]+$/\1 SEED/' "$WORK/calls" | grep -v -e '^deps' -e '^fetch' | sort | xargs || true)
}

calls() {	# calls NAME CALLS LAST
	tap "$([ "$CALLS" = "$2" ] && [ "$LAST" = "$3" ] || echo "called: $CALLS; $LAST; $(cat "$WORK/err")")" "$1"
}

seeds() { sed -n -E 's/.*truth.* ([0-9]+)$/\1/p' "$WORK/calls" | sort | xargs; }

VM=check-vm.sh
TRUTH='test.d/record/truth* SEED'
SOAK=test.d/soak/soak
STRESS='test.d/stress/*'
make_tree
mkdir -p "$WORK/break-$VM-test.d/soak"
touch "$WORK/break-$VM-test.d/soak/soak" "$WORK/break-check.sh-debug-arm64"
check_long
calls "a run has all parts, and the selftests on the project's own kernels" \
	"check-boot-instance.sh check-litmus.sh check-panic.sh $VM $TRUTH $VM $TRUTH $VM $SOAK $VM $STRESS $VM $STRESS check.sh debug arm64 explore fuzz-kernel.sh fuzz.sh fuzz.sh" \
	"11 passed, 2 failed, 0 skipped"
first=$(seeds)
rm "$WORK/break-$VM-test.d/soak/soak"
check_long RESUME=1
calls "a resumed run repeats what did not pass" \
	"$VM $SOAK check.sh debug arm64 1" "13 passed, 0 failed, 0 skipped"
# The names of two runs in the same second have any order
first_run=$(grep -l -r '^not ok' "$WORK"/cache/logs/check-long-2*/results | sed '1s#/results/.*##; q')
mv "$first_run" "${first_run/check-long-2/check-long-29}"
check_long RESUME=1
calls "a run that is resumed again repeats nothing that passed" "" "13 passed, 0 failed, 0 skipped"
echo "# changed" >>"$TREE/scripts/deps.sh"
check_long RESUME=1
tap "$([[ $CALLS == *truth*soak*explore* ]] || echo "called: $CALLS")" \
	"a run with other sources is not resumed"
tap "$([ "$first" ] && [ "$first" != "$(seeds)" ] || echo "seeds $first, and then $(seeds)")" "another run has other seeds"
check_long KERNEL=6.1
tap "$([[ $CALLS != *check.sh* ]] || echo "called: $CALLS")" "KERNEL leaves out the project's own kernels"
echo "1..$CASES"
