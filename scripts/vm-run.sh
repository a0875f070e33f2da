#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# vm-run.sh ROW ARCH JOB LOGDIR
#
# Boot one guest that runs the script JOB, and leave what it said in LOGDIR:
#	verdict.log	what selftests/qemu/init sent over the verdict channel
#	console.log	the kernel's console
#	qemu.log	QEMU's own messages
#	token		the secret of this boot, see init
#	status		QEMU's exit status, or "timeout"
# It does not judge: see judge.sh. Exit status 0 means that QEMU was run.
#
# From the environment:
#	VM_KERNEL	the kernel to boot, if not the row's own
#	VM_TREE		directory whose contents are added to the guest's /
#	VM_MODULES	more of the kernel's modules, which the guest loads if it has them
#	VM_DISK		raw image, attached read-only as /dev/vda
#	VM_SCRATCH	raw image that the guest may write to, see OBJTRACE_SCRATCH in init
#	VM_CPU		QEMU CPU model
#	VM_CPUS		how many of them, default 2: with one thread of the host for each
#	VM_TIMEOUT	seconds, default 300
#	VM_APPEND	more kernel command line
#	VM_ICOUNT	if set, the guest's clock counts instructions, a ns each: one
#			vCPU, and nothing of the host's load is seen in it
#	VM_KASLR	if set, addresses are random with VM_ICOUNT, too
#	OBJTRACE_ACCEL	QEMU accelerator. Never guessed: /dev/kvm may open on a
#			machine that cannot run a kernel with it.

. "$(dirname "$0")/lib.sh"

ACCEL=${OBJTRACE_ACCEL:-tcg}

machine_args() {
	case $ARCH in
	x86_64)	printf '%s\n' -M q35 -cpu "${VM_CPU:-max}" ;;
	arm64)	printf '%s\n' -M virt,gic-version=max -cpu "${VM_CPU:-max,pauth-impdef=on}" ;;
	esac
}

console_name() {
	case $ARCH in
	x86_64)	echo ttyS0 ;;
	arm64)	echo ttyAMA0 ;;
	esac
}

# What runs the guest, and how its time passes. Randomness would make the
# instructions of one boot differ from another's.
timing_args() {
	if [ -z "${VM_ICOUNT:-}" ]; then printf '%s\n' -accel "$ACCEL" -smp "${VM_CPUS:-2}"; return; fi
	printf '%s\n' -accel tcg,thread=single -smp 1 -icount shift=0,sleep=off \
		-rtc base=2026-01-01,clock=vm
}

kernel_args() {
	local nokaslr=" nokaslr"
	if [ -n "${VM_KASLR:-}" ]; then nokaslr=; fi
	echo "console=$(console_name) loglevel=7 log_buf_len=4M" \
		"oops=panic panic_on_warn=1 panic=-1" \
		"objtrace.token=$TOKEN${VM_ICOUNT:+$nokaslr random.trust_cpu=on}${VM_APPEND:+ $VM_APPEND}"
}

# Leaves the command's exit status, or "timeout", in $LOG/status.
boot() {
	local status=0
	: >"$LOG/verdict.log"
	: >"$LOG/console.log"
	timeout --foreground -k 5 "${VM_TIMEOUT:-300}" "${qemu[@]}" "${args[@]}" \
		</dev/null >"$LOG/qemu.log" 2>&1 || status=$?
	if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then status=timeout; fi
	echo "$status" >"$LOG/status"
}

[ $# -eq 4 ] || die "usage: vm-run.sh ROW ARCH JOB LOGDIR"
ROW=$1
ARCH=$(arch_name "$2")
LOG=$4
cache_init
mkdir -p "$LOG"
TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "$TOKEN" >"$LOG/token"
qemu_command=$("$TOP/scripts/fetch-qemu.sh" "$ARCH")
mapfile -t qemu <<<"$qemu_command"
mapfile -t machine < <(machine_args)
mapfile -t timing < <(timing_args)
"$TOP/scripts/make-initramfs.sh" "$ROW" "$ARCH" "$3" "$LOG/initramfs" "${VM_TREE:-}"

args=(
	"${machine[@]}" "${timing[@]}" -m 1G
	-nodefaults -no-user-config -nic none -display none -no-reboot
	-kernel "${VM_KERNEL:-$(kernel_dir "$ROW" "$ARCH")/vmlinuz}" -initrd "$LOG/initramfs"
	-append "$(kernel_args)"
	-serial "file:$LOG/console.log"
	-chardev "file,id=verdict,path=$LOG/verdict.log" -device "pci-serial,chardev=verdict"
)
if [ -n "${VM_DISK:-}" ]; then
	args+=(-drive "file=$VM_DISK,format=raw,if=none,id=disk,readonly=on" -device "virtio-blk-pci,drive=disk")
fi
if [ -n "${VM_SCRATCH:-}" ]; then
	args+=(-drive "file=$VM_SCRATCH,format=raw,if=none,id=scratch"
		-device "virtio-blk-pci,drive=scratch,serial=scratch")
fi

boot
# What spoils a boot is rare, but can do it twice.
for spoilt in console.log.spoilt-1 console.log.spoilt-2; do
	why=$("$TOP/scripts/spoilt.sh" "$LOG/console.log")
	if [ -z "$why" ]; then break; fi
	say "  $ROW $ARCH: QEMU $why (kept: $LOG/$spoilt), booting again"
	mv "$LOG/console.log" "$LOG/$spoilt"
	boot
done
rm -f "$LOG/initramfs"
