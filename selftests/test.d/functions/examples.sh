# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Run the examples of the documents and compare their output.

document()	# FILE: print its path: next to objtracetest in a guest, else in the tree
{
	for d in "$TOP/${1##*/}" "$TOP/../$1"; do
		if [ -s "$d" ]; then echo "$d"; return; fi
	done
	exit_unresolved "$1 is neither beside objtracetest nor in the tree"
}

# An example is the literal block after a comment ".. example: NAME".  A line "# COMMAND" is
# followed by the output of the command.
examples()	# DOCUMENT: print the names of its examples
{
	sed -n 's/^\.\. example: //p' "$1"
}

example_lines()	# NAME DOCUMENT
{
	awk -v marker=".. example: $1" '
		$0 == marker { on = 1; next }
		on && /^    / { inside = 1; print substr($0, 5); next }
		inside && NF { exit }' "$2"
}

commands_are_in_examples()	# DOCUMENT: fail unless each of its commands is in an example
{
	for name in $(examples "$1"); do
		example_lines "$name" "$1" | grep '^# '
	done > "$TMPDIR/in_examples"
	sed -n 's/^    \(# .*\)/\1/p' "$1" > "$TMPDIR/in_document"
	[ -s "$TMPDIR/in_document" ]
	diff -u "$TMPDIR/in_document" "$TMPDIR/in_examples"
}

# Replace the text that differs between runs and kernels: task, CPU, flags, times, addresses,
# hit counts, suffixes of function names, modules, and numbers of traced functions.  The
# first object of an output becomes object:1, also in records of the kernel's tracepoints.
plain_output()
{
	sed -E -e 's/^.*-[0-9]+ +\[[0-9]+\]( [^ ]+)? +[0-9]+\.[0-9]+: +//' \
	    -e 's/^(objtrace_[a-z]+:) +/\1 /' \
	    -e 's/skbaddr=(0x)?([0-9a-f]{16})/object:0x\2/' \
	    -e 's/^(  group[1-4]:) [0-9]+$/\1 N/' \
	    -e 's/^.*write error: /write error: /' \
	    -e 's/^\[ *[0-9]+\.[0-9]+\] //' \
	    -e '/ seen at: /s/^(objtrace_change:) [^ ]+( \[[a-z0-9_]+\])? <-.* object:/\1 FUNCTION <-CALLER object:/' \
	    -e 's/( arg[0-9]\?)? \(after \[[0-9]+\] ts:[0-9.]+\)/ (after [CPU] ts:TIME)/' \
	    -e 's/\.(isra|constprop|part)\.[0-9]+//g' \
	    -e 's/ \[[a-z0-9_]+\] object:/ object:/' \
	    -e 's/ arg[0-9]\? value:/ value:/' \
	    -e 's/\+0x[0-9a-f]+\(/+OFFSET(/' \
	    -e 's#\+0x0/0x[0-9a-f]+#+0x0/SIZE#' \
	    -e 's/reason:free (by [^ ]+ (\[[a-z0-9_]+\] )?)?<-[^ ]+( \[[a-z0-9_]+\])? hits:/reason:free by FUNCTION <-CALLER hits:/' \
	    -e 's/hits:[0-9]+ age:[0-9.]+/hits:N age:T/' \
	    -e '/^\{ ip: /{s/\[[0-9a-f]+\]/[ADDRESS]/;s/  +/ /g;}' |
	awk '{
		while (match($0, /object:0x[0-9a-f]+/)) {
			object = substr($0, RSTART, RLENGTH)
			if (!(object in name))
				name[object] = "object:" ++nr
			$0 = substr($0, 1, RSTART - 1) name[object] substr($0, RSTART + RLENGTH)
		}
		print
	}'
}

like_example()	# FILE: fail unless it has the lines of stdin, where "..." is any number of lines
{
	awk -v file="$1" '
		{ shown[NR] = $0 }
		END {
			while ((getline line < file) > 0)
				seen[++nr] = line
			at = 1
			for (i = 1; i <= NR; i++) {
				if (shown[i] ~ /^ *\.\.\.$/) {
					any = 1
					continue
				}
				while (any && at <= nr && seen[at] != shown[i])
					at++
				if (at > nr || seen[at] != shown[i]) {
					print "not seen: " shown[i]
					exit 1
				}
				at++
				any = 0
			}
			if (!any && at <= nr) {
				print "not shown: " seen[at]
				exit 1
			}
		}'
}

example_script()	# print a script that shows and runs the commands of stdin
{
	# The builtin printf opens no file, as a here-document does.  A grep without a match
	# is no failure.
	awk '/^# / {
		nr = split($0, part, "\047")
		printf "printf \047%%s\\n\047 \047%s", part[1]
		for (i = 2; i <= nr; i++)
			printf "\047\\\047\047%s", part[i]
		print "\047"
		print substr($0, 3)
		if ($2 != "grep")
			print "status=$?; [ $status = 0 ] || echo \"status: $status\""
	}
	END { print "exit 0" }'
}

# Compilers turn calls into jumps, so the caller of a function depends on the kernel.  With
# stale registers, the first function that sees a value does too.
any_functions()
{
	sed 's/ seen at: [^ ]* <-.* (after / seen at: FUNCTION <-CALLER (after /'
}

# Without CONFIG_NETFILTER, the compiler inlines ip_local_deliver_finish().
any_callers()
{
	sed -E 's/ <-[^ ]*( object:| \(after )/ <-CALLER\1/g'
}

any_offsets()
{
	sed -E 's/\+0x[0-9a-f]+ object:/+OFFSET object:/'
}

# A test may write functions to $TMPDIR/preamble, for programs that the guest lacks.
run_example()	# NAME DOCUMENT [FILTER]: fail unless its output is like the document's
{
	example_lines "$1" "$2" > "$TMPDIR/example"
	grep -q '^# ' "$TMPDIR/example"
	# The output shows all that matters
	set +x
	{
		[ ! -e "$TMPDIR/preamble" ] || cat "$TMPDIR/preamble"
		example_script < "$TMPDIR/example"
	} > "$TMPDIR/script"
	# A new shell: $$ must be the task that opens files
	sh "$TMPDIR/script" < /dev/null > "$TMPDIR/output" 2>&1
	cat "$TMPDIR/output"
	# Drop the status of a failed write: its message is in the output
	sed -i '/write error: /{n;/^status: 1$/d;}' "$TMPDIR/output"
	# Records of functions without BTF are noise, unless the example shows records from
	# interrupts.
	noise=forget_unknown
	if grep -q '\] [^ ]*h[^ ]* *[0-9.]*: objtrace' "$TMPDIR/example"; then noise="cat"; fi
	$noise < "$TMPDIR/output" | plain_output | ${3:-cat} > "$TMPDIR/seen"
	plain_output < "$TMPDIR/example" | ${3:-cat} > "$TMPDIR/shown"
	like_example "$TMPDIR/seen" < "$TMPDIR/shown"
	set -x
}
