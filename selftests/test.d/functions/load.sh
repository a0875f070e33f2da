# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Load by other tasks, beside a test that requires the program hackbench, and used memory.

start_load()	# start tasks that wake each other and end, until there is the file "stop"
{
	rm -f "$TMPDIR/stop"
	while [ ! -e "$TMPDIR/stop" ]; do
		hackbench -g 1 -f 2 -l 500
	done > /dev/null &
	load=$!
}

stop_load()
{
	: > "$TMPDIR/stop"
	wait $load
}

used_memory()	# print the memory that the kernel uses for itself, in kB
{
	echo 3 > /proc/sys/vm/drop_caches
	awk '/^(Slab|PageTables|VmallocUsed|Percpu|KernelStack):/ { used += $2 } END { print used }' /proc/meminfo
}
