# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Read a trace and compare it with the expected records.

# On arm64 an interrupt does not clear the registers of the interrupted function.  A function
# without BTF can then be entered with an object in a register, and its record has "arg1?".
# Drop these records and subtract them from the object's hits, except for functions of the
# target.
# shellcheck disable=SC2016	# variables of awk
FORGET_UNKNOWN='
	function object_of(line) {
		match(line, /object:0x[0-9a-f]+/)
		return substr(line, RSTART, RLENGTH)
	}
	/ arg[0-9][?] / && /objtrace_(after_free|value): / && !/objtrace_(after_free|value): ott_/ {
		if (/objtrace_value: /)
			stale[object_of($0)]++
		next
	}
	/objtrace_del: / && (object = object_of($0)) in stale {
		match($0, /hits:[0-9]+/)
		hits = substr($0, RSTART + 5, RLENGTH - 5) - stale[object]
		$0 = substr($0, 1, RSTART + 4) hits substr($0, RSTART + RLENGTH)
		delete stale[object]
	}'
[ "$MACHINE" = aarch64 ] || FORGET_UNKNOWN=

# gcc splits kmem_cache_free() of some kernels.  The second part receives the object, too.  $STATE
# keeps the answer.
free_part()	# print the name of the second part, if there is one
{
	if [ ! -e "$STATE/free_part" ]; then
		symbols kmem_cache_free.part.0 | cut -d ' ' -f 1 > "$STATE/free_part"
	fi
	cat "$STATE/free_part"
}

# For a test that passes objects to kmem_cache_free().  If gcc has split the function, BTF lacks the
# function, and its records have "arg2?".
FORGET_SPLIT=
allow_split_free()
{
	part=$(free_part)
	[ "$part" ] || return 0
	FORGET_SPLIT='/objtrace_value: kmem_cache_free / { sub(/ arg2[?]/, "") }'
	echo "$part" > "$TRACEFS/$NOTRACE"
}

forget_unknown()
{
	if [ "$FORGET_UNKNOWN" ]; then awk "$FORGET_UNKNOWN { print }"; else cat; fi
}

# Strip task, CPU, flags, time and age from the records, and replace addresses by the names of
# the objects.  Traces are long and often read, so a single program does this, with few expressions.
# shellcheck disable=SC2016	# variables of awk
PLAIN_RECORDS='
	BEGIN {
		while ((getline line < names) > 0) {
			split(line, word, " ")
			if (!(word[2] in name))
				name[word[2]] = word[1]
		}
	}
	function named(line, address, seen) {
		while (match(line, /object:0x[0-9a-f]+[ +]/)) {
			address = substr(line, RSTART + 7, RLENGTH - 8)
			if (address in name)
				address = name[address]
			seen = seen substr(line, 1, RSTART + 6) address
			line = substr(line, RSTART + RLENGTH - 1)
		}
		return seen line
	}
	/^#/ { next }
	{
		sub(/^.*-[0-9]* *\[[0-9]*\] [^ ]* *[0-9]*\.[0-9]*: /, "")
		if (index($0, " [objtrace_target]"))
			gsub(/ \[objtrace_target\]/, "")
		if (/^objtrace_del: /)
			sub(/ age:[0-9.]*$/, "")
		else if (/^objtrace_after_free: /)
			sub(/ age:[0-9.]* \(hint\)$/, " (hint)")
		else if (/^objtrace_change: /)
			sub(/\[[0-9]*\] ts:[0-9.]*\)/, "[CPU] ts:TIME)")
		else if (/^objtrace_watch: /)
			sub(/ window:[0-9.]*$/, "")
		else if (/^objtrace_write: /)
			sub(/\+0x[0-9a-f]+ object:/, "+OFFSET object:")
		print named($0)
	}'

# For awk: function_at(ADDRESS) is the function of the target at an address without "0x".  The first
# file is the output of target_functions.
# shellcheck disable=SC2016	# variables of awk
FUNCTION_AT='
	function function_at(addr,	i, best) {
		for (i = 1; i <= nr_functions; i++)
			if (start[i] <= addr "" && (!best || start[i] > start[best]))
				best = i
		return best ? name[best] : addr
	}
	FILENAME == ARGV[1] { start[++nr_functions] = $1 ""; name[nr_functions] = $2; next }
'

# grep first, see symbols()
module_symbols()	# MODULE: print "ADDRESS SYMBOL" of each symbol
{
	grep -F "[$1]" /proc/kallsyms | awk '{ print $1, $3 }'
}

target_functions()
{
	module_symbols objtrace_target
}

# Tracing is off during the read: printing an address passes it to functions.  busybox's awk
# reads a few hundred bytes at a time, and tracefs starts over at each read: hence cat.
read_trace()	# [TRACE]
{
	read -r was_on < tracing_on
	echo 0 > tracing_on
	# shellcheck disable=SC2002
	cat "${1:-trace}" |
		awk -v names="$STATE/objects" "$FORGET_SPLIT $FORGET_UNKNOWN $PLAIN_RECORDS"
	echo "$was_on" > tracing_on
}

expect()	# FILE: fail unless it has exactly the lines of stdin, apart from their indentation
{
	sed 's/^[	]*//' > "$TMPDIR/expected"
	diff -u "$TMPDIR/expected" "$1"
}

# Print "RECORD FUNCTION...": each record of objtrace, with the functions of its stack trace
stacks()	# FILE
{
	awk '
		/^ => / { sub(/[^A-Za-z0-9_.].*/, "", $2); line = line " " $2; next }
		/<stack trace>/ { next }
		line != "" { print line; line = "" }
		match($0, / objtrace_[a-z_]*: /) { line = substr($0, RSTART + 1, RLENGTH - 3) }
		END { if (line != "") print line }' "$1"
}

# A busy host can stop an emulated machine for seconds, so the limit is two minutes.  A slow kernel
# has more, see job-selftests.
wait_until()	# COMMAND...: wait until it succeeds
{
	for _ in $(seq $((1200 * ${SLOW:-1}))); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "waited in vain until: $*"
	return 1
}

has_records()	# PATTERN NUMBER [TRACE]
{
	[ "$(count_lines "$1" "${3:-trace}")" -ge "$2" ]
}

# A clear trigger records objtrace_del some time after its event.
wait_for_records()	# PATTERN NUMBER [TRACE]
{
	wait_until has_records "$@"
}

# The objtrace_del records of a removed trigger have no defined order.  Move all objtrace_del
# records to the end and sort them.
expect_trace()	# [TRACE]: fail unless it has exactly the records of stdin, and empty it
{
	read_trace "$@" > "$TMPDIR/read"
	: > "${1:-trace}"
	: > "$TMPDIR/dels"
	awk -v dels="$TMPDIR/dels" '
		/^objtrace_del: / { print > dels; next }
		{ print }' "$TMPDIR/read" > "$TMPDIR/seen"
	if [ -s "$TMPDIR/dels" ]; then sort "$TMPDIR/dels" >> "$TMPDIR/seen"; fi
	expect "$TMPDIR/seen"
}

expect_chain()	# "FUNCTION <-CALLER"...: the objtrace_value records of the scenario chain
{
	echo 'objtrace:add:obj:u8' > "$ADD"
	run chain
	echo '!objtrace:add:obj' > "$ADD"
	{
		echo objtrace_add: object:A value:0x88 event:ott:add
		for line in "$@"; do
			echo "objtrace_value: $line object:A value:0x88"
		done
		echo "objtrace_del: object:A reason:trigger hits:$#"
	} > "$TMPDIR/wanted"
	expect_trace < "$TMPDIR/wanted"
}

expect_free()	# SCENARIO: run it, and fail unless it leaves exactly the records of stdin
{
	run "$1"
	expect_trace
	read_names
}

life_records()	# print the records of the scenario life with an add and a del trigger
{
	cat <<-EOF
		objtrace_add: object:A value:0x88 event:ott:add
		objtrace_add: object:B value:0x88 event:ott:add
		objtrace_value: ott_take <-ott_life object:A value:0x88
		objtrace_value: ott_drop <-ott_life object:A value:0x88
		objtrace_value: ott_take <-ott_life object:B value:0x88
		objtrace_add: object:A value:0x88 event:ott:add
		objtrace_value: ott_take <-ott_life object:A value:0x88
		objtrace_del: object:A reason:del hits:2
		objtrace_del: object:A reason:trigger hits:1
		objtrace_del: object:B reason:trigger hits:1
	EOF
}

expect_list()	# FILE: fail unless it has the lines of stdin, in any order
{
	sort "$1" > "$TMPDIR/list"
	sed 's/^[	]*//' | sort > "$TMPDIR/sorted"
	expect "$TMPDIR/list" < "$TMPDIR/sorted"
}

# For calls whose records have no defined order, such as the records of two triggers.
expect_trace_sorted()	# [TRACE]
{
	read_trace "$@" | sort > "$TMPDIR/seen"
	: > "${1:-trace}"
	sed 's/^[	]*//' | sort > "$TMPDIR/sorted"
	expect "$TMPDIR/seen" < "$TMPDIR/sorted"
}

count_lines()	# PATTERN FILE
{
	grep -c -- "$1" "$2" || true
}

count_values()	# TRACE: print the number of objtrace_value records in the raw trace
{
	forget_unknown < "$1" > "$TMPDIR/counted"
	count_lines ' objtrace_value: ' "$TMPDIR/counted"
}
