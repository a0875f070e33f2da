# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Write commands that must fail, and compare the errno and the error_log.

# For short files: starting a program takes longer, above all in an emulated machine.
slurp()	# FILE: set $slurped to its text
{
	slurped=
	while IFS= read -r slurped_line || [ "$slurped_line" ]; do
		slurped="$slurped$slurped_line
"
	done < "$1"
}

expect_failure()	# TEXT COMMAND...: fail unless it fails and prints TEXT, a pattern
{
	text=$1
	shift
	if "$@" > "$TMPDIR/err" 2>&1; then
		echo "should fail: $*"
		return 1
	fi
	slurp "$TMPDIR/err"
	echo "$slurped"
	grep -iqE -- "$text" "$TMPDIR/err"
}

# dd prints the errno.  The builtin echo of some shells does not.
write_to()	# FILE TEXT
{
	dd of="$1" bs=8192 conv=notrunc <<-EOF
	$2
	EOF
}

errno_text()	# ERRNO
{
	case $1 in
	EBADF) echo 'Bad file descriptor' ;;
	EBUSY) echo 'Device or resource busy' ;;
	EEXIST) echo 'File exists' ;;
	EFAULT) echo 'Bad address' ;;
	EINVAL) echo 'Invalid argument' ;;
	ENODEV) echo 'No such device' ;;
	ENOSPC) echo 'No space left on device' ;;
	ENOMEM) echo 'Cannot allocate memory' ;;
	ENOENT) echo 'No such file or directory' ;;
	EOPNOTSUPP) echo 'Operation not supported' ;;
	ERANGE) echo 'Numerical result out of range' ;;
	*) return 1 ;;
	esac
}

expect_errno()	# ERRNO TRIGGER-FILE COMMAND
{
	expect_failure "$(errno_text "$1")" write_to "$2" "$3"
}

# A command of a race can find its file in use.  Any other error ends the test.
unless_refused()	# ERRNO COMMAND...: run it, and fail if the kernel refuses it with ERRNO
{
	refused=$1
	shift
	if "$@" 2> "$TMPDIR/err"; then return; fi
	cat "$TMPDIR/err"
	grep -q "$(errno_text "$refused")" "$TMPDIR/err" || exit_fail "not $refused: $*"
	return 1
}

triggers_of()	# TRIGGER-FILE
{
	while IFS= read -r trigger; do
		case $trigger in
		'#'*) ;;
		*) printf '%s\n' "$trigger" ;;
		esac
	done < "$1"
}

# The write fails with this errno, adds this entry to the instance's error_log, and leaves the
# file unchanged.  WHERE is the word before "error:", such as "struct bio" or set_filter.  The
# error_log has the first line of the command.
errlog_check()	# ERRNO SENTENCE 'COMMAND with ^ before the wrong character' FILE [WHERE]
{
	before=${3%%^*}
	command=$before${3#*^}
	expected="objtrace${5:+: $5}: error: $2
  Command: ${command%%
*}
$(printf "%$((11 + ${#before}))s^" '')
"
	: > error_log
	slurp "$4"
	set_before=$slurped
	expect_errno "$1" "$4" "$command"
	slurp "$4"
	[ "$slurped" = "$set_before" ]
	slurp error_log
	echo "$slurped"
	[ "${slurped#\[*\] }" = "$expected" ]
}

error_ids()	# print each error of include/objtrace_errors.h: ID ERRNO SENTENCE
{
	sed -n 's/^OBJTRACE_ERROR(\([A-Z_]*\),[	 ]*\([A-Z]*\),[	 ]*"\(.*\)",$/\1 \2 \3/p' "$ERRORS_H"
}

sentence_of()	# ID: print the sentence of this error
{
	error_ids | sed -n "s/^$1 [A-Z]* //p"
}

# Two triggers, which the refused commands leave in the file $ADD
prepare_errors()
{
	[ -s "$ERRORS_H" ] ||
		exit_unresolved "objtrace_errors.h is neither beside objtracetest nor in ../include"
	probe_add
	echo 'objtrace:add:obj,8:u32 if comm == "cat"' > "$ADD"
	echo 'objtrace:add:obj,8:u8' > "$ADD"
}

# Each line of stdin is "ID COMMAND", with ^ before the wrong character of COMMAND.  ID@STRUCT
# is the error ID if the error_log also names the struct.
expect_errors()	# FILE: fail unless it refuses each command with its error
{
	error_ids > "$TMPDIR/errors"
	cat > "$TMPDIR/commands"
	awk '
		FILENAME == ARGV[1] {
			errno[$1] = $2
			sentence[$1] = substr($0, length($1 $2) + 3)
			next
		}
		{
			split($1, id, "@")
			print errno[id[1]] "|" sentence[id[1]] "|" (id[2] ? "struct " id[2] : "") \
				"|" substr($0, length($1) + 2)
		}' "$TMPDIR/errors" "$TMPDIR/commands" > "$TMPDIR/refused"
	[ -s "$TMPDIR/refused" ]
	while IFS='|' read -r errno sentence where refused; do
		errlog_check "$errno" "$sentence" "$refused" "$1" "$where"
	done < "$TMPDIR/refused"
}
