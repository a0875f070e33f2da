#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# vm-run.sh ROW ARCH JOB LOGDIR
#
# Boot one guest that runs the script JOB. LOGDIR gets its output:
#	verdict.log	the output of selftests/qemu/init on the verdict channel
#	console.log	the kernel's console
#	qemu.log	QEMU's own messages
#	token		the secret of this boot, see init
#	status		QEMU's exit status, or "timeout"
# This script does not judge the output: judge.sh does. Exit status 0 means that
# QEMU was run.
#
# Environment:
#	VM_KERNEL	kernel to boot instead of the row's own
#	VM_FIRMWARE	if set, the firmware boots the kernel, as on a real machine
#	VM_TREE		directory whose contents are added to the guest's /
#	VM_MODULES	further modules of the kernel; the guest loads them if they exist
#	VM_DISK		raw image, attached read-only as /dev/vda
#	VM_SCRATCH	raw image that the guest may write to, see OBJTRACE_SCRATCH in init
#	VM_TOOLS	tools of make-tools.sh, which the guest finds in its PATH
#	VM_DEVICE	a further device, as QEMU's -device wants it
#	VM_MEMORY	file that is memory of a PCI device, so that it keeps what the guest stored
#			there before its kernel died
#	VM_CPU		QEMU CPU model
#	VM_CPUS		number of CPUs, default 1
#	VM_PIN		if set, each CPU of the guest stays on one of the host, in turn
#	VM_TIMEOUT	seconds, default 300; a slow kernel has more, see own-kernels.tbl
#	VM_APPEND	further kernel command line
#	VM_ICOUNT	if set, the guest's clock counts instructions, one per ns: one CPU,
#			and the host's load is invisible in the guest
#	VM_KASLR	if set, addresses are random with VM_ICOUNT, too
#	BOOTED_AGAIN	file that gets a line for each boot that QEMU spoilt
#	OBJTRACE_ACCEL	QEMU accelerator, default tcg. A machine may have a /dev/kvm that opens
#			but cannot run a kernel, so the script never chooses kvm itself.

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

# With a thread for each CPU, one CPU can translate an instruction while another CPU replaces
# it, and QEMU then keeps the stale translation, see spoilt.sh. A single thread has no such
# race, so only guests that need two CPUs get two threads.
accel_args() {
	if [ "$ACCEL" = tcg ] && [ "${VM_CPUS:-1}" -eq 1 ]; then
		echo tcg,thread=single
	else
		echo "$ACCEL"
	fi
}

timing_args() {
	if [ -z "${VM_ICOUNT:-}" ]; then
		printf '%s\n' -accel "$(accel_args)" -smp "${VM_CPUS:-1}"
		return
	fi
	printf '%s\n' -accel tcg,thread=single -smp 1 -icount shift=0,sleep=off \
		-rtc base=2026-01-01,clock=vm
}

# The guest's clock is the host's, and a busy host stops a guest for seconds. The kernel must
# not take the TSC, the timer or a CPU for broken then, and not measure the TSC. With VM_ICOUNT, the kernel must not
# gather randomness or choose random addresses: the instructions of two boots would differ.
clock_args() {
	local nokaslr=" nokaslr"
	if [ -n "${VM_KASLR:-}" ]; then nokaslr=; fi
	if [ -n "${VM_ICOUNT:-}" ]; then
		echo "random.trust_cpu=on$nokaslr"
	else
		if [ "$ACCEL $ARCH" = "tcg x86_64" ]; then echo "tsc_early_khz=$("$TOP/scripts/tsc-khz.sh")"; fi
		echo "tsc=reliable no_timer_check rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60"
	fi
}

kernel_args() {
	echo "console=$(console_name) loglevel=7 log_buf_len=4M printk.time=1" \
		"oops=panic panic_on_warn=1 panic=-1 $(clock_args | xargs)" \
		"objtrace.token=$TOKEN${VM_APPEND:+ $VM_APPEND}"
}

# Print the path of the image to boot. QEMU starts the uncompressed ELF image of an x86 kernel
# at its PVH entry. That saves the firmware and the decompression, a third of a boot.
kernel_image() {
	local dir elf
	dir=$(kernel_dir "$ROW" "$ARCH")
	elf=$dir/vmlinux.elf
	if [ "$ARCH" != x86_64 ] || [ -n "${VM_FIRMWARE:-}" ] || [ "$(kconfig "$ROW" "$ARCH" PVH)" != y ]; then
		echo "$dir/vmlinuz"
		return
	fi
	if [ ! -e "$elf" ]; then
		lock "elf-$ROW"
		"$TOP/scripts/kernel-image.py" kernel "$dir/vmlinuz" >"$elf.new"
		mv "$elf.new" "$elf"
	fi
	echo "$elf"
}

# QEMU names its threads, see args. Its threads for CPUs exist soon after its start.
pin_cpus() {
	local name thread pinned
	until [ "${pinned:-0}" -eq "${VM_CPUS:-1}" ]; do
		sleep 0.1
		pinned=0
		for thread in $(pgrep -f "objtrace.token=$TOKEN" | sed 's|.*|/proc/&/task/*|'); do
			name=$(cat "$thread/comm" 2>/dev/null) || continue
			case $name in
			"CPU "[0-9]*/*)
				name=${name#CPU }
				taskset -cp $((${name%%/*} % $(nproc))) "${thread##*/}" >/dev/null
				pinned=$((pinned + 1))
				;;
			esac
		done
	done
}

# Run QEMU, and write its exit status, or "timeout", to $LOG/status.
boot() {
	local status=0
	: >"$LOG/verdict.log"
	: >"$LOG/console.log"
	if [ -n "${VM_PIN:-}" ]; then pin_cpus & fi
	timeout --foreground -k 5 $((${VM_TIMEOUT:-300} * ROW_SLOW)) "${qemu[@]}" "${args[@]}" \
		</dev/null >"$LOG/qemu.log" 2>&1 || status=$?
	if [ -n "${VM_PIN:-}" ]; then kill $! 2>/dev/null || true; fi
	if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then status=timeout; fi
	echo "$status" >"$LOG/status"
}

[ $# -eq 4 ] || die "usage: vm-run.sh ROW ARCH JOB LOGDIR"
ROW=$1
ARCH=$(arch_name "$2")
LOG=$4
row_load "$ROW" "$ARCH"
cache_init
mkdir -p "$LOG"
TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "$TOKEN" >"$LOG/token"
qemu_command=$("$TOP/scripts/fetch-qemu.sh" "$ARCH")
mapfile -t qemu <<<"$qemu_command"
mapfile -t machine < <(machine_args)
mapfile -t timing < <(timing_args)
"$TOP/scripts/make-initramfs.sh" "$ROW" "$ARCH" "$3" "$LOG/initramfs" "${VM_TREE:-}"
image=${VM_KERNEL:-$(kernel_image)}

args=(
	"${machine[@]}" "${timing[@]}" -m 1G
	-nodefaults -no-user-config -nic none -display none -no-reboot
	-kernel "$image" -initrd "$LOG/initramfs"
	-append "$(kernel_args)"
	-serial "file:$LOG/console.log"
	-chardev "file,id=verdict,path=$LOG/verdict.log" -device "pci-serial,chardev=verdict"
)
if [ -n "${VM_PIN:-}" ]; then args+=(-name "guest,debug-threads=on"); fi
if [ -n "${VM_DISK:-}" ]; then
	args+=(-drive "file=$VM_DISK,format=raw,if=none,id=disk,readonly=on" -device "virtio-blk-pci,drive=disk")
fi
if [ -n "${VM_SCRATCH:-}" ]; then
	args+=(-drive "file=$VM_SCRATCH,format=raw,if=none,id=scratch"
		-device "virtio-blk-pci,drive=scratch,serial=scratch")
fi
for tool in ${VM_TOOLS:-}; do
	image=$("$TOP/scripts/make-tools.sh" "$tool" "$ROW" "$ARCH")
	args+=(-drive "file=$image,format=raw,if=none,id=$tool,readonly=on"
		-device "virtio-blk-pci,drive=$tool,serial=tool-$tool")
done
if [ -n "${VM_DEVICE:-}" ]; then args+=(-device "$VM_DEVICE"); fi
if [ -n "${VM_MEMORY:-}" ]; then
	args+=(-object "memory-backend-file,id=kept,share=on,mem-path=$VM_MEMORY,size=$(stat -c %s "$VM_MEMORY")"
		-device "ivshmem-plain,memdev=kept")
fi

boot
# A spoilt boot is rare, but can happen twice in a row.
for spoilt in console.log.spoilt-1 console.log.spoilt-2; do
	why=$("$TOP/scripts/spoilt.sh" "$LOG/console.log")
	if [ -z "$why" ]; then break; fi
	say "  $ROW $ARCH: QEMU $why (kept: $LOG/$spoilt), booting again"
	if [ -n "${BOOTED_AGAIN:-}" ]; then echo "$ROW $ARCH: QEMU $why" >>"$BOOTED_AGAIN"; fi
	mv "$LOG/console.log" "$LOG/$spoilt"
	boot
done
rm -f "$LOG/initramfs"
