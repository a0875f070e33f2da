#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-vm.sh ROW ARCH LOGDIR [CPU]
#
# Run the selftests in one guest and print one line per test, see judge.sh; one for
# each workload whose records are proved here, see check-workload.sh; and one that
# compares what the module chose there with what was foretold. When the guest is not
# to be believed, the end of its console goes to stderr.

. "$(dirname "$0")/lib.sh"

# What the module took struct event_command for: it tells at each load.
chosen_layout() {	# chosen_layout VERDICT-LOG
	sed -n 's/^| .*objtrace: struct event_command of this kernel: //p' "$1" | sort -u | xargs
}

foretold_layout() {	# foretold_layout ROW ARCH
	"$TOP/scripts/layout-check.sh" "$1" "$2" | sed -n 's/^family //p'
}

# Room for what the workloads leave. That nothing of it is left to be written later
# keeps the guest's kernel from doing so.
make_scratch() {	# make_scratch FILE
	rm -f "$1"
	mkfs.ext4 -q -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 "$1" 192M >"$1.log" 2>&1 ||
		die "mkfs.ext4 failed: $(tail -n 1 "$1.log")"
}

[ $# -ge 3 ] || die "usage: check-vm.sh ROW ARCH LOGDIR [CPU]"
cache_init
mkdir -p "$3/tree"
"$TOP/scripts/guest-tree.sh" "$1" "$2" "$3/tree"
VM_DISK=$("$TOP/scripts/make-disk.sh")
make_scratch "$3/scratch"
export VM_SCRATCH=$3/scratch
export VM_DISK VM_TREE=$3/tree VM_CPU=${4:-} VM_TIMEOUT=${VM_TIMEOUT:-2400}
"$TOP/scripts/vm-run.sh" "$1" "$2" "$TOP/selftests/qemu/job-selftests" "$3"
rm -rf "$3/tree"
if ! "$TOP/scripts/judge.sh" "$3" >"$3/results"; then
	{
		# A failed test's log follows its result; what has failed is at its end.
		awk '
			function tell(i) {
				for (i = n > 60 ? n - 59 : 1; i <= n; i++) print line[i]
				n = 0
			}
			/^(ok|not ok|\|)/ { tell(); bad = /^not/; if (bad) print; next }
			bad { line[++n] = $0 }
			END { tell() }' "$3/verdict.log"
		echo "... the last lines of the console ($3/console.log):"
		tail -n 15 "$3/console.log" | tr -d '\r'
	} >&2
fi
cat "$3/results"
"$TOP/scripts/check-workload.sh" "$1" "$2" "$3"
rm "$3/scratch"
chosen=$(chosen_layout "$3/verdict.log")
# Of chosen tests, it may be that none loads the module
if [ -n "$chosen" ] || [ -z "${TESTS:-}" ]; then
	foretold=$(foretold_layout "$1" "$2")
	result "$([ "$chosen" = "$foretold" ] || echo "it chose '$chosen', layout-check foretold '$foretold'")" \
		"the booted module chose the layout that layout-check foretold"
fi
