# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# What the tests in test.d/workload share. Each traces what the kernel does with objects
# of one type, and saves on the disk $OBJTRACE_SCRATCH, which has an ext4,
#
#	NAME/manifest	what of it is there, a line each:
#		struct NAME			the type
#		probe NAME FUNCTION		a probe, and where it is
#		absent NAME FUNCTION		one that this kernel has no function for
#		member PROBE STRUCT NAME OFFSET	what a probe takes for granted
#		missed NAME N			hits of a probe that the kernel has left out
#		recorded N			what objtrace has counted as records
#		cpu N EVENTS			how many events there are
#	NAME/cpuN	the pages of the trace buffer, as the kernel has them
#	NAME/formats	the formats of its events
#	NAME/stats	objtrace's own
#	kallsyms, btf/	functions, and what is known of those of modules
#
# for selftests/workload/check.py, which proves on the host that the records are right.
#
# That an object lives is what the slab events tell, and probes, whose names say what is
# so of what is in ptr:
#
#	free_*		its memory was freed, without a tracepoint
#	around_*	the memory that it is somewhere in was
#	late_*		its memory is freed after a grace period, maybe without a tracepoint
#	gone_*		it is let go: freed, or kept for the next one
#	made_*		it is given out, new or used

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

# On what is passed the rcu_head of a struct slab_sheaf. check.py knows where its members
# are in this kernel.
probe_sheaf()	# NAME FUNCTION
{
	# shellcheck disable=SC2016
	probe p "$1" "$2" 'nr=+24($arg1):u32 ptr=+32($arg1):x64[64]'
	cat >> "$MANIFEST" <<-EOF
		member $1 slab_sheaf callback_head 0
		member $1 slab_sheaf size 24
		member $1 slab_sheaf objects 32
	EOF
}

# In an instance of its own. The clock counts events: of two it is known which was first.
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

# An object that a trigger adds has to be seen from then on: the triggers come after this.
follow()	# EVENT...: all probes, the slab events, and these
{
	for event in workload kmem/kmalloc kmem/kfree kmem/kmem_cache_alloc \
	    kmem/kmem_cache_free "$@"; do
		echo 1 > "events/$event/enable"
	done
}

entries()	# PER-CPU-DIRECTORY: how many events are there to be read
{
	sed -n 's/^entries: //p' "$1/stats"
}

# To read where there is nothing more is to wait, so who reads is ended then, when nothing
# has come for a while. An end that came too early would be seen: it is known how many
# events there are.
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

# Of the instance's triggers. All that they have seen has to be in the trace.
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

# Once for all tests: the modules of the workloads stay
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

# What is let go may come back without having been freed.
end_what_is_gone()
{
	for event in events/workload/gone_*; do
		echo 'objtrace:del:ptr' > "$event/trigger"
	done
}

save()	# NAME: what is in the instance, which goes
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
	cat events/workload/*/format events/objtrace/*/format events/kmem/*/format \
		events/skb/*/format > "$SCRATCH/$1/formats"
	cp "$TMPDIR/workload.stats" "$SCRATCH/$1/stats"
	# By an interrupt while another probe was being handled, maybe
	awk '$3 + 0 { print "missed", $1, $3 }' "$TRACEFS/kprobe_profile" >> "$MANIFEST"
	save_functions
	cat "$MANIFEST"
	cp "$MANIFEST" "$SCRATCH/$1/manifest"
	cd "$TRACEFS"
	rmdir instances/objtrace_workload
}
