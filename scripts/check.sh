#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check.sh: run by `make check`. Run all tests.
#
# Environment:
#	ARCH	only this architecture
#	KERNEL	run the selftests only on this kernel, or on all kernels with "all". The
#		default is the kernels that represent the other kernels, see kernels.tbl.
#		For a kernel of own-kernels.tbl, tests that need no kernel are not run.
#	KDIR	instead of KERNEL: the directory where a kernel was built. Tests that need
#		no kernel are not run.
#	TESTS	run only these selftests, which are patterns relative to selftests/, and no
#		other tests
#	RESUME	if set, go on with the last run that had the same sources, settings and
#		kernels. Groups of tests that passed in that run are not run again.
#
# Print one line per test; the last line counts the tests. Only "ok" is a pass: a skipped
# test fails the run, as a failed test does.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/report.sh"

# The kernel that runs the tests of an architecture, which are the same on its other kernels.
ARCH_ROW=6.12-new

# A CPU without PAN, where the kernel itself can read user memory, and the tests that read
# memory through arguments.
NO_PAN_ROW=6.12-new
NO_PAN_CPU=cortex-a57
NO_PAN_TESTS='test.d/record/members.tc test.d/record/offsets.tc test.d/record/rejected.tc
	test.d/record/user_memory.tc test.d/record/widths.tc'

# The kernel that runs all selftests. The other kernels leave out the tests that are the same
# on all kernels, and all loops have fewer rounds. With KERNEL=all, all loops have all rounds, and
# the kernels of a plain `make check' run all selftests. This kernel then traces all functions in
# each test, and runs some tests once more in an instance. A kernel that KERNEL names runs all
# selftests, with these repetitions.
FULL='6.12-new x86_64'

# The tests of a kernel that covers a layout, see kernels.tbl: they write and remove triggers,
# and fire events that find their triggers.
LAYOUT_TESTS='test.d/instances/*.tc test.d/neighbours/*.tc test.d/trigger/*.tc'

# The kernels with a guest that has two CPUs, as a pattern for "ROW ARCH" lines: one kernel
# for each architecture. Races are in objtrace's own code, which is the same for all kernels.
# If KERNEL is set, each of its kernels has such a guest.
RACES="$FULL|7\.x arm64"

# The kernels that objtrace refuses if they are altered, as a pattern for "ROW ARCH" lines.
REFUSAL='6\.12-new x86_64'
if [ "${KERNEL:-}" = all ]; then REFUSAL='.*'; fi

# The kernels for whose headers check-make.sh builds. KERNEL=all adds the oldest kernel.
MAKE_ROWS=6.12-new
if [ "${KERNEL:-}" = all ]; then MAKE_ROWS+=' 6.1'; fi

# The kernel that dkms first installs for, and the kernel that an update installs.
DKMS_ROWS='6.12-new 6.12-old'

# The releases of Debian whose packages KERNEL=all builds and installs, each with the kernel for
# which dkms builds the module. The default run builds the program and the module, too.
DEB_ROOTS=$'bookworm 6.12-new\ntrixie 7.x'

# The kernel for which costs are measured: the budgets are for this kernel.
COST_ROW=6.12-new

# Two kernels: check-foreign.sh loads the module of each into the other, if both are selected.
FOREIGN_ROWS=(6.12-old 6.12-new)

unit_tests() {	# print the commands of the host-side tests
	grep -v '^#' "$TOP/scripts/unit-tests.lst"
}

unit_test() {	# unit_test NUMBER
	local command
	command=$(unit_tests | sed -n "$1p")
	# shellcheck disable=SC2086  # a command line
	(cd "$TOP" && group "unit $1" tap_lines $command)
}

# Print the selected kernels that were fetched, as "ROW ARCH" lines.
selected() { cat "$RUN/selected"; }

are_selected() {	# are_selected ARCH ROW...
	local row
	for row in "${@:2}"; do
		grep -q -x -F "$row $1" "$RUN/selected" || return
	done
}

# Print all jobs, one function call per line. Long jobs come first, which matters only for the
# first run: later runs sort the jobs by their times, see longest_first().
all_jobs() {
	if are_own "$rows"; then
		selected | while read -r row arch; do own_jobs "$row" "$arch"; done
	else
		debian_guests
	fi
	if [ -n "$TESTS" ]; then return; fi
	if [ -z "$ONLY_KERNELS" ]; then debian_jobs; fi
	selected | sed 's/^/row_group build check-kernel.sh /'
	selected | sed 's/^/row_group layout check-layout.sh /'
	selected | sed -n '/x86_64$/s/^/row_group ibt check-ibt.sh /p'
}

# Print the jobs that test kernels of kernels.tbl in guests.
debian_guests() {
	selected | sed -n "s/^$FULL\$/vm_group & 1/p"
	selected | sed "/^$FULL\$/d; s/^/vm_group /; s/$/ 1/"
	selected | sed "s/^/vm_group /; s/$/ 2/"
	if are_selected arm64 "$NO_PAN_ROW"; then
		echo "vm_group $NO_PAN_ROW arm64 1 $NO_PAN_CPU"
	fi
}

# Print the jobs that test a kernel of own-kernels.tbl in guests. The tests of a slow kernel take
# hours: each part of the tests has a guest of its own, so that RESUME repeats few of them.
own_jobs() {	# own_jobs ROW ARCH
	local cpus part parts
	row_load "$1" "$2"
	parts=$(((ROW_SLOW + 1) / 2))
	for cpus in 1 2; do
		for ((part = 1; part <= parts; part++)); do echo "own_group $1 $2 $cpus $part $parts"; done
	done
}

# Print the jobs that need no kernel, or kernels of Debian.
debian_jobs() {
	local arch row i
	for ((i = UNIT_TESTS_STARTED + 1; i <= $(unit_tests | wc -l); i++)); do echo "unit_test $i"; done
	selected | sed -n -E "s/^($REFUSAL)$/row_group refusal check-refusal.sh \1/p"
	for arch in $ARCHES; do
		echo "group bench-$arch $TOP/scripts/check-bench.sh $COST_ROW $arch"
	done
	echo "group dkms $TOP/scripts/check-dkms.sh $DKMS_ROWS"
	if [ "${KERNEL:-}" = all ]; then
		selected | sed -n "s/^$FULL\$/many_cpus & 8/p"
		printf '%s\n' "$DEB_ROOTS" | sed "s#^\([^ ]*\) #group deb-\1 $TOP/scripts/check-deb.sh &#"
	fi
	echo "group harness $TOP/selftests/qemu/harness-test.sh $(selected | sed 1q)"
	echo "group static $TOP/scripts/static-checks.sh"
	for row in $MAKE_ROWS; do echo "group make-$row $TOP/scripts/check-make.sh $row"; done
	for arch in $ARCHES; do
		if are_selected "$arch" "${FOREIGN_ROWS[@]}"; then
			echo "group foreign-$arch $TOP/scripts/check-foreign.sh ${FOREIGN_ROWS[*]} $arch"
		fi
	done
	for arch in $DEMO_ARCHES; do echo "group demo-$arch $TOP/scripts/check-demo.sh $arch"; done
}

# Print the lines of stdin that begin with one of the words, or that match it as a pattern.
lines_like() {	# lines_like WORD...
	local line word
	while read -r line; do
		for word; do
			# shellcheck disable=SC2053  # a pattern
			if [[ $line == $word* ]]; then echo "$line"; break; fi
		done
	done
}

# Print the words of the lines "# KEY: WORD..." in the fragments of a kernel.
fragment_words() {	# fragment_words KEY
	own_fragments | xargs -r sed -n "s/^# $1: //p" | tr ' ' '\n'
}

# Print the tests of a kernel of own-kernels.tbl, or nothing for all tests. A fragment can name
# the tests, also those with the flag long, and leave tests out. A kernel may lack options by
# intent, and check-kernel.sh tells them.
own_tests() {	# own_tests ROW ARCH
	local named also left_out planned with_long
	mapfile -t named < <(fragment_words tests)
	mapfile -t also < <(fragment_words also)
	mapfile -t left_out < <(fragment_words without; tests_lacking_options "$1" "$2")
	if [ $((${#named[@]} + ${#also[@]} + ${#left_out[@]})) -eq 0 ]; then return; fi
	# shellcheck disable=SC2086  # options
	planned=$(planned_tests $TEST_OPTIONS)
	# shellcheck disable=SC2086
	with_long=$(planned_tests $TEST_OPTIONS -L)
	{
		if [ ${#named[@]} -gt 0 ]; then lines_like "${named[@]}" <<<"$with_long"; else echo "$planned"; fi
		lines_like "${also[@]}" <<<"$with_long"
	} | grep -v -x -F -f <(lines_like "${left_out[@]}" <<<"$with_long") || true
}

# Run the selftests that need CPUS CPUs. Two CPUs are two threads of the host, and QEMU has a
# race between its threads, see spoilt.sh. So only tests that need two CPUs get two CPUs.
vm_group() {	# vm_group ROW ARCH CPUS [MODEL]
	local label="$1 $2${4:+ $4}"
	local -x TESTS=${TESTS:-${4:+$NO_PAN_TESTS}} TEST_OPTIONS=
	if [ "$3" -ne 1 ]; then label+=" $3 CPUs"; fi
	row_load "$1" "$2"
	if [ -z "$TESTS" ]; then
		case "${KERNEL:-}: $1 $2" in
		"all: $FULL") TEST_OPTIONS=-a ;;
		"all: "*)
			TEST_OPTIONS=-o
			if [ "$ROW_CHECK" = all ]; then TEST_OPTIONS="-o -c"; fi
			;;
		": $FULL") TEST_OPTIONS="-o -f" ;;
		": "*)
			TEST_OPTIONS=-b
			if [ "$1" != "$ARCH_ROW" ]; then TEST_OPTIONS=-B; fi
			if [ "$3" -ne 1 ]; then
				if [[ ! "$1 $2" =~ ^($RACES)$ ]]; then return; fi
			elif [ "$ROW_CHECK" = layout ]; then
				TESTS=$LAYOUT_TESTS
			fi
			;;
		esac
	fi
	# The chosen tests may not need this number of CPUs
	# shellcheck disable=SC2086  # options
	if [ -z "${4:-}" ] && [ -z "$(planned_tests $TEST_OPTIONS "-$(($3 > 1 ? 2 : 1))")" ]; then return; fi
	group "$label" "$TOP/scripts/check-vm.sh" "$1" "$2" "$RUN/${label// /-}" "$3" "${4:-}"
}

# Run a part of the tests of a kernel of own-kernels.tbl that need CPUS CPUs.
own_group() {	# own_group ROW ARCH CPUS PART PARTS
	local label="$1 $2"
	local -x TESTS=${TESTS:-} TEST_OPTIONS="-o -f"
	row_load "$1" "$2"
	TESTS=${TESTS:-$(own_tests "$1" "$2")}
	# shellcheck disable=SC2086  # options
	TESTS=$(planned_tests $TEST_OPTIONS "-$3" | lines_of_part "$4" "$5")
	if [ -z "$TESTS" ]; then return; fi
	if [ "$3" -ne 1 ]; then label+=" $3 CPUs"; fi
	if [ "$5" -ne 1 ]; then label+=" part $4"; fi
	group "$label" "$TOP/scripts/check-vm.sh" "$1" "$2" "$RUN/${label// /-}" "$3"
}

# Run the tests of races and the generated chains on many CPUs. The guest's CPUs share the host's.
many_cpus() {	# many_cpus ROW ARCH CPUS
	TESTS='test.d/stress/*.tc test.d/record/truth*.tc' vm_group "$@"
}

# Fetch all kernels. A kernel that cannot be fetched is a failed test; the other kernels are
# tested.
fetch_all() {
	local row arch
	: >"$RUN/selected"
	while read -r row arch; do
		group "fetch $row $arch" fetch_row "$row" "$arch" </dev/null
		if grep -q '^ok' "$RUN/results/fetch_${row}_$arch"; then echo "$row $arch" >>"$RUN/selected"; fi
	done
}

fetch_row() {	# fetch_row ROW ARCH
	# group() calls this function in a condition, where bash ignores "set -e".
	"$TOP/scripts/fetch-kernel.sh" "$1" "$2" &&
		"$TOP/scripts/fetch-guest.sh" "$2" >/dev/null &&
		"$TOP/scripts/fetch-programs.sh" "$2" selftests >/dev/null &&
		"$TOP/scripts/fetch-qemu.sh" "$2" >/dev/null || return
	echo "ok $(meta "$1" "$2" package) $(meta "$1" "$2" version), $(meta "$1" "$2" layout)"
}

# Print the settings and versions on which the results depend.
settings() {
	printf '%s\n' "$ARCHES" "${KERNEL:-}" "$TESTS" "${OBJTRACE_TRUTH_SEED:-}" \
		"${FUZZ_SECONDS:-}" "${FUZZ_RUNS:-}" "${OBJTRACE_ACCEL:-}"
	cat "$RUN"/results/fetch_*
}

# A pattern that matches nothing would pass as a check without a test.
check_patterns() {	# check_patterns PATTERN...
	local pattern
	for pattern; do
		compgen -G "$TOP/selftests/$pattern" >/dev/null ||
			die "TESTS=$pattern: no test in selftests/ has this name; an example is test.d/record/chain.tc"
	done
}

# Whether the "ROW ARCH" lines are kernels of own-kernels.tbl.
are_own() {	# are_own LINES
	own_rows | awk '{ print $1, $2 }' | grep -x -F "${1%%$'\n'*}" >/dev/null
}

row_group() {	# row_group NAME SCRIPT ROW ARCH
	group "$1 $3 $4" "$TOP/scripts/$2" "$3" "$4"
}

ARCHES=${ARCH:+$(arch_name "$ARCH")}
: "${ARCHES:=x86_64 arm64}"
# The demo is the same on all architectures
DEMO_ARCHES=$ARCHES
if [ -z "${KERNEL:-}${ARCH:-}" ]; then DEMO_ARCHES=$(host_arch); fi
OWN=${KDIR:-}
TESTS=${TESTS:-}
TESTS=${TESTS//selftests\//}
set -f	# the patterns are not for this directory
# shellcheck disable=SC2086  # patterns
check_patterns $TESTS
set +f
ONLY_KERNELS=$OWN
if [ -z "$OWN" ]; then
	rows=$(select_rows "${KERNEL:-}")
	if are_own "$rows"; then ONLY_KERNELS=1; fi
fi
cache_init
# Only root can install packages later
# shellcheck disable=SC2046  # an option, or none
"$TOP/scripts/deps.sh" $([ "$(id -u)" -ne 0 ] || echo --first) >&2
if [ -n "$OWN" ]; then
	use_own_kernel
	rows=$(select_rows "$KERNEL")
fi
# A guest waits for grace periods a third of its time. One more job than the host has CPUs
# uses that time.
# shellcheck disable=SC2034  # for report.sh
JOBS=${OBJTRACE_JOBS:-$(($(nproc) + 1))}
RUN=$(run_dir check)
export BOOTED_AGAIN=$RUN/booted-again
# Ctrl-C does not reach background jobs: end them, so that no guest keeps running.
trap 'trap - INT TERM; kill 0' INT TERM
"$TOP/scripts/progress.py" "$RUN" "$CACHE/test-times" &
progress=$!
# report.sh must not wait for progress.py as it waits for jobs
disown
# The first unit test takes longest and needs no kernel, so start it before the kernels are
# fetched. Not with RESUME: its result may be kept from the last run, which is found later.
UNIT_TESTS_STARTED=0
if [ -z "$TESTS${RESUME:-}$ONLY_KERNELS" ]; then
	UNIT_TESTS_STARTED=1
	start unit_test 1
fi
fetch_all <<<"$rows"
settings >"$RUN/settings"
write_key <"$RUN/settings"
resume check
all_jobs >"$RUN/calls"
longest_first "$CACHE/job-times" <"$RUN/calls" >"$RUN/order"
in_parallel <"$RUN/order"
kill $progress
# A job takes less time for chosen tests, so do not keep that time
if [ -z "$TESTS$OWN" ]; then
	keep_times "$CACHE/job-times"
	"$TOP/scripts/matrix.sh" --keep "$RUN" <<<"$rows"
fi
summary
