# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Commands of which one allocation fails at a time.  The test that sources this file defines three
# functions:
#	fail_call N	let call number N fail, in the next command
#	has_failed N	end that, and succeed if call number N was made
#	next_call N	print the number of the next call that fails

NO_MEMORY=$(sentence_of NO_MEMORY)
ENABLE_FAILED=$(sentence_of ENABLE_FAILED)

state()
{
	cat /proc/modules
	ls -d events/objtrace objtrace instances/* 2> /dev/null || true
	cat kprobe_events $STATIC "$ADD" "$DROP" $FILTER $NOTRACE 2> /dev/null || true
}

# Run a command again and again.  Another allocation fails each time, until all allocations of the
# command succeed.  The command then works, or fails as always.
starve()	# COMMAND UNDO...
{
	command=$1
	shift
	n=1
	state > "$TMPDIR/before"
	while :; do
		for log in error_log instances/*/error_log; do
			if [ -e "$log" ]; then : > "$log"; fi
		done
		fail_call $n
		status=0
		eval "$command" > "$TMPDIR/said" 2>&1 || status=$?
		more=
		if has_failed $n; then more=1; fi
		if [ $status = 0 ]; then eval "$*"; fi
		state | diff "$TMPDIR/before" -
		[ "$more" ] || return $status
		said=$(cat "$TMPDIR/said")
		for log in error_log instances/*/error_log; do
			if [ -e "$log" ]; then
				slurp "$log"
				# shellcheck disable=SC2154	# slurp() sets it
				said=$said$slurped
			fi
		done
		echo "call $n: status $status: $said"
		if [ $status != 0 ]; then tells_error "$said"; fi
		n=$(next_call $n)
	done
}

# The text of an error, and at most one entry of the error_log
tells_error()	# TEXT
{
	case $1 in
	*"$NO_MEMORY"*"$NO_MEMORY"*) return 1 ;;
	*"$NO_MEMORY"* | *"$ENABLE_FAILED"* | *'ut of memory'* | *'allocate memory'*) ;;
	*'No space left on device'*) ;;
	*) return 1 ;;
	esac
}

starve_load()
{
	# shellcheck disable=SC2016	# for eval
	starve 'insmod "$OBJTRACE_KO"' 'rmmod objtrace'
}

starve_triggers()
{
	# This command is always wrong
	starve "write_to $ADD objtrace:frobnicate" true || [ $? = 1 ]
	# Memory for after-free stays, so the second run of this command makes fewer calls
	while read -r file command; do
		starve "write_to $file '$command'" "write_to $file '!$command'"
	done <<-EOT
		$ADD objtrace:add:obj
		$STATIC objtrace:add:(ott_shape)obj->colour:changes:size=auto:typed if num != 1
		$ADD objtrace:add:obj,8:u32:enum=pid_type:stack=3
		$ADD objtrace:add:obj:after-free
		$ADD objtrace:add:obj:after-free
		$ADD objtrace:add:obj,8:returns
		$DROP objtrace:del:obj if obj != 1
	EOT
	if can_watch; then
		starve "write_to $ADD objtrace:add:obj,8:watch=2" "write_to $ADD '!objtrace:add:obj,8'"
	fi
}

starve_files()
{
	# Not a probe: the kernel warns if memory is short for its end
	echo objtrace:add:obj > $STATIC
	starve "write_to $STATIC '!objtrace:add:obj'" "write_to $STATIC objtrace:add:obj"
	starve "write_to $FILTER 'ott_add ott_take'" "write_to $FILTER 'ott_*'"
	starve "write_to $NOTRACE 'ott_take:mod:objtrace_target'" ": > $NOTRACE"
	for file in $FILTER objtrace/stats objtrace/objects; do starve "cat $file" true; done
	starve 'mkdir instances/one' 'rmdir instances/one'
	mkdir instances/one
	starve "write_to instances/one/$ADD objtrace:add:obj" "write_to instances/one/$ADD '!objtrace:add:obj'"
	rmdir instances/one
	echo '!objtrace:add:obj' > $STATIC
}

# The functions of a module are not traced if memory is short, and the module is loaded
starve_module()
{
	echo 'objtrace:add:ptr if ptr == 0' > events/kmem/kfree/trigger
	# shellcheck disable=SC2016	# for eval
	starve 'insmod "$TEST_MODULES/objtrace_target.ko"' 'rmmod objtrace_target'
	echo '!objtrace:add:ptr' > events/kmem/kfree/trigger
}

load_starved()
{
	load_target
	probe_add
	probe_drop
	load_objtrace
	echo 'ott_*' > $FILTER
}

starve_commands()
{
	starve_triggers
	starve_files
	echo > kprobe_events
	unload objtrace_target
	starve_module
	rmmod objtrace
}
