# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Look up functions of the kernel, and count the traced functions.

# grep first: it reads kallsyms faster than awk.
symbols()	# NAME...: print "NAME ADDRESS" of each symbol that the kernel or a module has
{
	printf ' %s\n' "$@" > "$STATE/symbols"
	grep -F -f "$STATE/symbols" /proc/kallsyms | awk -v names="$*" '
		BEGIN {
			split(names, word, " ")
			for (i in word)
				wanted[word[i]] = 1
		}
		$3 in wanted { print $3, $1 }'
}

# An arm64 kernel without ftrace_stub_direct_tramp() has no direct calls.  Its text must then
# be in reach of a branch from the module, which is rare with KASLR.  $STATE keeps the answer
# for a kernel with direct calls.
has_trampolines()
{
	if [ "$MACHINE" != aarch64 ] || [ -e "$STATE/has_direct_calls" ]; then return 0; fi
	symbols ftrace_stub_direct_tramp ftrace_modify_call objtrace_tramp_small1 _stext _etext \
		> "$TMPDIR/symbols"
	if grep -q '^ftrace_stub_direct_tramp ' "$TMPDIR/symbols"; then
		: > "$STATE/has_direct_calls"
		return 0
	fi
	# Without this function, ftrace cannot replace a call when another ftrace_ops joins
	grep -q '^ftrace_modify_call ' "$TMPDIR/symbols" || return
	code=$(sed -n 's/^objtrace_tramp_small1 //p' "$TMPDIR/symbols")
	for symbol in _stext _etext; do
		other=$(sed -n "s/^$symbol //p" "$TMPDIR/symbols")
		# The upper bits are equal, and some shells cannot compute with all bits
		distance=$((0x${code#ffff} - 0x${other#ffff}))
		if [ $distance -lt -134152192 ] || [ $distance -gt 134152192 ]; then return 1; fi
	done
}

# Write the trampolines of ott_takes_one, ott_takes_pair and ott_take to $TMPDIR/trampolines.
# Objects can be in one, three and all registers of these functions.
read_trampolines()
{
	sed -n -E 's/^(ott_takes_one|ott_takes_pair|ott_take) .*tramp: (objtrace_[a-z0-9_]*)\+.*/\1 \2/p' \
		enabled_functions | sort > "$TMPDIR/trampolines"
}

# Functions that free or allocate without a tracepoint.  objtrace always traces them.
ALWAYS_TRACED='kmem_cache_free_bulk kfree_nolock rcu_free_sheaf rcu_free_sheaf_nobarn'
ALWAYS_TRACED="$ALWAYS_TRACED kvfree_rcu_cb kmem_cache_alloc_bulk kmem_cache_alloc_bulk_noprof"

nr_traced()	# print the number of traced functions that are not in ALWAYS_TRACED
{
	# cat, because awk reads slowly, see read_trace()
	# shellcheck disable=SC2002
	cat enabled_functions | awk -v names="$ALWAYS_TRACED" '
		BEGIN {
			split(names, word, " ")
			for (i in word)
				always[word[i]] = 1
		}
		!($1 in always) { nr++ }
		END { print nr + 0 }'
}

# objtrace stops tracing a function some time after its trigger is removed.
wait_until_traced()	# NUMBER: wait until nr_traced() prints it
{
	wait_until are_traced "$1"
}

are_traced()	# NUMBER
{
	[ "$(nr_traced)" = "$1" ]
}

# For each read of enabled_functions, the kernel searches all functions: read it once.
read_traced()
{
	cat enabled_functions > "$TMPDIR/traced"
}

is_traced()	# FUNCTION: in the list of read_traced()
{
	[ "$(count_lines "^$1 " "$TMPDIR/traced")" = 1 ]
}
