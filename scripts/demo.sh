#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# demo.sh: run by `make demo`. Boot a Debian kernel in QEMU, load the module, and follow one
# packet through the loopback device, see selftests/qemu/job-demo. The last lines have the paths
# of the page and of the picture.
#
# Environment:
#	ARCH	default: this machine's
#	KERNEL	default: 6.12-new; the last kernel if KERNEL selects several
#	KDIR	instead of KERNEL: the directory where a kernel was built

. "$(dirname "$0")/lib.sh"

if [ -z "${KDIR:-}" ]; then
	ARCH=$(arch_name "${ARCH:-$(host_arch)}")
	KERNEL=${KERNEL:-6.12-new}
	rows=$(select_rows "$KERNEL")
fi
cache_init
"$TOP/scripts/deps.sh" --first
if [ -n "${KDIR:-}" ]; then
	use_own_kernel
	rows=$(select_rows "$KERNEL")
fi
read -r ROW ARCH < <(tail -n 1 <<<"$rows")
"$TOP/scripts/fetch-kernel.sh" "$ROW" "$ARCH"
LOG=$(run_dir demo)
say "  building objtrace.ko"
TESTS='' "$TOP/scripts/guest-tree.sh" "$ROW" "$ARCH" "$LOG/tree"
[ -e "$LOG/tree/modules/objtrace.ko" ] || die "no objtrace.ko was built"
program=$("$TOP/scripts/build-tools.sh" "$ARCH")
programs=$("$TOP/scripts/fetch-programs.sh" "$ARCH" selftests)
cp -a "$program/." "$programs/." "$LOG/tree/"
truncate -s 4M "$LOG/scratch"
# The firmware boots the kernel, as on a real machine
export VM_FIRMWARE=1 VM_TREE=$LOG/tree VM_SCRATCH=$LOG/scratch VM_TIMEOUT=${VM_TIMEOUT:-900}
say "  booting it in QEMU ($ARCH, emulated)"
"$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/qemu/job-demo" "$LOG"
rm -rf "$LOG/tree"
say ""
sed '/^# guest: /,$d' "$LOG/verdict.log"
if ! "$TOP/scripts/judge.sh" --no-tap "$LOG" >"$LOG/results"; then
	say "" "the last lines of the guest's console ($LOG/console.log):"
	tail -n 15 "$LOG/console.log" | tr -d '\r' >&2
	cat "$LOG/results" >&2
	die "the demo failed"
fi
tar -x -m -C "$LOG" -f "$LOG/scratch" || die "the guest has written no page"
rm "$LOG/scratch"
echo "page:    $LOG/packet.html"
echo "picture: $LOG/packet.svg"
