# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Record real work of the kernel on objects of one type, for the tests in test.d/workload.
# selftests/workload/check.py proves on the host that the records are right.  For that, each
# test saves these files on the disk $OBJTRACE_SCRATCH, which has an ext4:
#
#	NAME/manifest	lines about the trace:
#		struct NAME			the type of the objects
#		probe NAME FUNCTION		a probe and its function
#		absent NAME FUNCTION		a probe whose function this kernel lacks
#		member PROBE STRUCT NAME OFFSET	an offset that the probe uses
#		missed NAME N			hits of a probe that the kernel missed
#		recorded N			records by objtrace's counts
#		cpu N EVENTS			number of events
#	NAME/cpuN	the pages of the trace buffer, as the kernel stores them
#	NAME/formats	the formats of the events
#	NAME/stats	a copy of objtrace/stats
#	kallsyms, btf/	functions of the kernel, and the BTF of its modules
#
# Slab events and probes show when an object lives.  The name of a probe has the meaning of its
# field ptr:
#
#	free_*		memory is freed, without a tracepoint
#	around_*	memory around the object is freed
#	late_*		memory is freed after a grace period, maybe without a tracepoint
#	gone_*		an object is freed, or kept for later use
#	made_*		an object is allocated, or used again

SCRATCH=$TMPDIR/scratch
MANIFEST=$TMPDIR/manifest

mount_scratch()
{
	mkdir -p "$SCRATCH"
	mount -t ext4 "$OBJTRACE_SCRATCH" "$SCRATCH"
}

probe()	# p|r NAME FUNCTION ARGUMENTS: if this kernel has the function
{
	if echo "$1:workload/$2 $3 $4" >> "$TRACEFS/kprobe_events"; then
		echo "probe $2 $3"
	else
		echo "absent $2 $3"
	fi >> "$MANIFEST"
}

# check.py compares the offsets with the BTF of this kernel.
probe_sheaf()	# NAME FUNCTION: whose argument is the rcu_head of a struct slab_sheaf
{
	# shellcheck disable=SC2016
	probe p "$1" "$2" 'nr=+24($arg1):u32 ptr=+32($arg1):x64[64]'
	cat >> "$MANIFEST" <<-EOF
		member $1 slab_sheaf callback_head 0
		member $1 slab_sheaf size 24
		member $1 slab_sheaf objects 32
	EOF
}

# The instance has a clock that counts events, which gives all events an order.
prepare()	# STRUCT
{
	[ -b "$OBJTRACE_SCRATCH" ] ||
		exit_unsupported "needs OBJTRACE_SCRATCH, a disk with an ext4 to write to"
	echo "struct $1" > "$MANIFEST"
	mkdir "$TRACEFS/instances/objtrace_workload"
	cd "$TRACEFS/instances/objtrace_workload"
	echo 16384 > buffer_size_kb
	echo counter > trace_clock
	# shellcheck disable=SC2016
	{
		probe p free_bulk kmem_cache_free_bulk 'nr=$arg2 ptr=+0($arg3):x64[64]'
		probe p free_nolock kfree_nolock 'ptr=$arg1'
		probe_sheaf free_sheaf rcu_free_sheaf
		probe_sheaf free_sheaf_nobarn rcu_free_sheaf_nobarn
		probe p around_rcu kvfree_rcu_cb 'ptr=$arg1'
		probe p late_rcu kvfree_call_rcu 'ptr=$arg2'
		probe p late_sheaf __kfree_rcu_sheaf 'ptr=$arg2'
	}
}

# A test sets its triggers after this, so the trace has all events of each object.
follow()	# EVENT...: enable all probes, the slab events, and these events
{
	for event in workload kmem/kmalloc kmem/kfree kmem/kmem_cache_alloc \
	    kmem/kmem_cache_free "$@"; do
		echo 1 > "events/$event/enable"
	done
}

entries()	# PER-CPU-DIRECTORY: print the number of unread events
{
	sed -n 's/^entries: //p' "$1/stats"
}

# A read of an empty buffer waits, so dd is killed when its output stops growing.  check.py
# compares the number of events with the manifest.
save_pages()	# PER-CPU-DIRECTORY FILE
{
	: > "$2"
	dd if="$1/trace_pipe_raw" of="$2" bs=4096 2> /dev/null &
	before='' same=0
	for _ in $(seq 1200); do
		sleep 0.1
		now=$(stat -c %s "$2")
		if [ "$now" = "$before" ]; then same=$((same + 1)); else same=0; fi
		if [ $same -ge 3 ] && [ "$(entries "$1")" = 0 ]; then break; fi
		before=$now
	done
	kill $! || true
	wait $! || true
}

# Count the records of the instance's triggers.  The test fails if objtrace lost a record.
save_stats()	# FILE
{
	cat "$TRACEFS/objtrace/stats" > "$1"
	awk '
		/^[^ ]/ { ours = $1 == "trigger:" && $2 == "objtrace_workload"; head = $0; next }
		!ours { next }
		$1 == "hits.recorded:" { recorded += $2 }
		$1 ~ /\.lost_/ && $2 != 0 { print head $0 > "/dev/stderr"; lost = 1 }
		END { print "recorded " recorded + 0; exit lost }' "$1" >> "$MANIFEST" ||
		exit_fail "objtrace has lost some of it"
}

# Once for all tests: the modules of the workloads stay loaded
save_functions()
{
	[ ! -e "$STATE/functions.saved" ] || return 0
	rm -rf "$SCRATCH/btf"
	mkdir "$SCRATCH/btf"
	for btf in /sys/kernel/btf/*; do
		case ${btf##*/} in
		vmlinux | objtrace*) ;;
		*) cat "$btf" > "$SCRATCH/btf/${btf##*/}" ;;
		esac
	done
	cat /proc/kallsyms > "$SCRATCH/kallsyms"
	touch "$STATE/functions.saved"
}

# The kernel may use an object again that it did not free.
end_gone_objects()
{
	for event in events/workload/gone_*; do
		echo 'objtrace:del:ptr' > "$event/trigger"
	done
}

save()	# NAME: save the trace, and remove the instance
{
	save_stats "$TMPDIR/workload.stats"
	echo 0 > tracing_on
	if grep -H -E '^(.*overrun|dropped events): [^0]' per_cpu/cpu*/stats; then
		exit_fail "the buffer is too small for the workload"
	fi
	mount_scratch
	trap 'umount "$SCRATCH"' EXIT
	rm -rf "${SCRATCH:?}/$1"
	mkdir "$SCRATCH/$1"
	for cpu in per_cpu/cpu*; do
		echo "cpu ${cpu#per_cpu/cpu} $(entries "$cpu")" >> "$MANIFEST"
		save_pages "$cpu" "$SCRATCH/$1/${cpu##*/}"
	done
	for system in workload objtrace kmem skb; do
		# A kernel without a network has no skb
		if [ -d events/$system ]; then cat events/$system/*/format; fi
	done > "$SCRATCH/$1/formats"
	cp "$TMPDIR/workload.stats" "$SCRATCH/$1/stats"
	# The kernel misses a hit if an interrupt hits a probe during the handler of a probe
	awk '$3 + 0 { print "missed", $1, $3 }' "$TRACEFS/kprobe_profile" >> "$MANIFEST"
	save_functions
	cat "$MANIFEST"
	cp "$MANIFEST" "$SCRATCH/$1/manifest"
	cd "$TRACEFS"
	rmdir instances/objtrace_workload
}
