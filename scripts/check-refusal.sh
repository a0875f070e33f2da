#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-refusal.sh ROW ARCH
#
# Check that objtrace refuses to load on a kernel that it does not know, and if memory runs
# out. Check that it works if the kernel's BTF describes the difference. The row's kernel boots
# once. For each case, the test module objtrace_alter changes the kernel's symbols, BTF and
# functions, see selftests/qemu/job-refusal. Only damaged BTF takes a boot of its own: the
# kernel parses its BTF once.

. "$(dirname "$0")/lib.sh"

# Selftests that use each part of a trigger: its list, filter, count and records.
WORKS_TESTS="test.d/record/two_objects.tc test.d/trigger/filter.tc test.d/trigger/count.tc test.d/trigger/readback.tc"

# The end of a message about a struct that the kernel's headers describe.
OTHER_HEADERS="objtrace was built for another kernel: build objtrace for this kernel"

case_line() {	# case_line NAME PARAMETER VALUE LINE: see job-refusal
	printf '%s\t%s\t%s\t%s\n' "$@"
}

# Collect the changes of BTF, so that alter-btf.py reads the kernel's BTF only once.
btf_case() {	# btf_case NAME LINE CHANGE...: LINE is an extended regular expression
	BTF_NAMES+=("$1")
	BTF_LINES+=("$2")
	BTF_CHANGES+=("${@:3}")
}

other_types() {
	btf_case "refused: a member was renamed" \
		"this kernel's struct event_trigger_data has no named_list: objtrace does not support this kernel" \
		rename-member event_trigger_data named_list
	btf_case "refused: a public member was renamed" \
		"this kernel's struct trace_event_file has no flags: $OTHER_HEADERS" \
		rename-member trace_event_file flags
	btf_case "refused: a public member has another offset" \
		"this kernel's struct trace_event_file has another tr: $OTHER_HEADERS" \
		move-member trace_event_file tr 64
	# A module of Linux 6.18 has the sizes of the structs that are parts of its own types, such
	# as ftrace_ops.  If such a size differs, the kernel itself refuses the module's BTF.
	btf_case "refused: a public struct is larger" \
		"this kernel's struct page has another size: $OTHER_HEADERS" \
		resize-struct page 8
	btf_case "refused: a prototype was changed" \
		"this kernel's update_cond_flag\(\) has the prototype .*, not void \(struct trace_event_file \*\): objtrace does not support this kernel" \
		change-prototype update_cond_flag
	btf_case "refused: a function is not in BTF" \
		"this kernel's BTF does not describe ftrace_is_dead\(\): objtrace does not support this kernel" \
		drop-function ftrace_is_dead
	btf_case "works: a private struct is larger" works resize-struct event_trigger_data 8
}

btf_cases() {
	local words list i
	BTF_NAMES=() BTF_LINES=() BTF_CHANGES=()
	other_types
	list=$("$TOP/scripts/alter-btf.py" "$(kernel_dir "$ROW" "$ARCH")/btf" "${BTF_CHANGES[@]}")
	mapfile -t words <<<"$list"
	[ "${#words[@]}" -eq "${#BTF_NAMES[@]}" ] || die "alter-btf.py does not print a line for each change"
	for i in "${!words[@]}"; do
		case_line "${BTF_NAMES[i]}" btf_words "${words[i]}" "${BTF_LINES[i]}"
	done
}

# A case for each symbol that the module looks up. A kprobe finds kallsyms_lookup_name(),
# which looks up the other symbols.
symbol_cases() {
	local name needed line
	needed=$("$TOP/scripts/needed-symbols.sh" "$ROW" "$ARCH")
	while read -r _ name; do
		line="this kernel has no symbol $name: objtrace does not support this kernel"
		if [ "$name" = kallsyms_lookup_name ]; then
			line="$name cannot be found with a kprobe: objtrace does not support this kernel"
		fi
		case_line "refused: no $name" missing_symbol "$name" "$line"
	done <<<"$needed"
	# On arm64, objtrace then searches for the address of the list in the code that uses it
	if [ "$ARCH" = x86_64 ]; then
		case_line "refused: no trigger_commands" missing_symbol trigger_commands \
			"trigger_commands cannot be found: objtrace does not support this kernel"
		case_line "refused: no data symbols" missing_symbol "trigger_commands init_task" \
			"trigger_commands cannot be found: this kernel lacks CONFIG_KALLSYMS_ALL"
	fi
}

# Cases in which a function fails as it does if memory runs out. The kernel makes a directory
# for the system of events, and then creates one event after the other.
memory_cases() {
	local alloc=kmem_cache_alloc create=tracefs_create_dir directories=5 error=0 line
	if has_symbol kmem_cache_alloc_noprof; then alloc=kmem_cache_alloc_noprof; fi
	if has_symbol eventfs_create_dir; then create=eventfs_create_dir directories=0 error=-12; fi
	case_line "refused: no memory for a kprobe" failing "register_kprobe -12 0 1" "out of memory"
	# The first call is the kernel's own, for the BTF of the module
	case_line "refused: no memory for BTF" failing "bpf_get_btf_vmlinux -12 1 1" \
		"the kernel ran out of memory while it read its BTF, and does not retry: reboot"
	line="the kernel did not create the trace event objtrace_[a-z_]*"
	line+=": out of memory, too many events, or another event of this name"
	case_line "refused: an event without a number" failing "register_trace_event 0 1 1" "$line"
	case_line "refused: an event without a directory" failing "$create $error 2 1" "$line"
	if has_symbol file_cachep; then
		case_line "refused: an event without a file" failing "$alloc 0 1 1 file_cachep" "$line"
		case_line "refused: an event with some of its fields" failing \
			"$alloc 0 3 1 field_cachep" "out of memory"
		case_line "refused: events without fields" failing "$alloc 0 0 4 field_cachep" \
			"out of memory"
	fi
	case_line "refused: no memory for the directory" failing \
		"tracefs_create_dir 0 $directories 1" "out of memory"
	case_line "refused: no memory for a file" failing "tracefs_create_file 0" "out of memory"
	case_line "refused: the directory exists" directory objtrace \
		"the directory objtrace already exists in tracefs: unload the module that created the directory"
	if has_symbol trigger_commands; then
		case_line "refused: the command exists" command stacktrace \
			"a trigger command objtrace already exists"
	fi
	# The kernel enables an event with this function
	case_line "neither load nor unload enables an event" failing \
		"tracepoint_probe_register -12" silent
}

has_symbol() { grep -q -x "$1" "$WORK/symbols"; }	# has_symbol NAME

make_tree() {
	local build
	build=$("$TOP/scripts/build-module.sh" "$ROW" "$ARCH")
	mkdir -p "$TREE/modules" "$TREE/selftests"
	cp "$build/objtrace.ko" "$build"/selftests/test_modules/objtrace_{alter,target}.ko "$TREE/modules/"
	# insmod would read the debug information, most of a module, for each case
	"$(cross_prefix "$ARCH")strip" --strip-debug "$TREE"/modules/*.ko
	cp -a "$TOP"/selftests/{objtracetest,test.d} "$TOP/include/objtrace_errors.h" "$TREE/selftests/"
	echo "$WORKS_TESTS" >"$TREE/tests"
}

# The failed tests with their comments, and the end of the console.
complaints() {	# complaints DIR
	awk '/^# guest: / { exit } /^(ok|not ok) / { bad = /^not/ } bad' "$1/verdict.log"
	tail -n 15 "$1/console.log" | tr -d '\r'
}

boot() {	# boot NAME: with the cases of $TREE/cases
	local dir=$WORK/$1
	VM_TREE=$TREE "$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/qemu/job-refusal" "$dir"
	"$TOP/scripts/judge.sh" "$dir" || complaints "$dir" >&2
}

[ $# -eq 2 ] || die "usage: check-refusal.sh ROW ARCH"
ROW=$1
ARCH=$(arch_name "$2")
row_load "$ROW" "$ARCH"
cache_init
WORK=$(mktemp -d "$CACHE/logs/refusal-$ROW-$ARCH.XXXXXX")
TREE=$WORK/tree
export VM_TIMEOUT=${VM_TIMEOUT:-900}
trap 'rm -rf "$WORK/damaged-kernel" "$TREE"' EXIT
make_tree
symbols=$("$TOP/scripts/kallsyms.sh" "$ROW" "$ARCH")
cut -d ' ' -f 3 "$symbols" >"$WORK/symbols"
{
	btf_cases
	symbol_cases
	memory_cases
	case_line "tracing works after the refusals" image - tracing
} >"$TREE/cases"
boot altered
# Without this option, a kernel with damaged BTF rejects each module that has BTF
if [ "$(kconfig "$ROW" "$ARCH" MODULE_ALLOW_BTF_MISMATCH)" = y ]; then
	"$TOP/scripts/kernel-image.py" break-btf "$(kernel_dir "$ROW" "$ARCH")/vmlinuz" \
		>"$WORK/damaged-kernel"
	{
		case_line "refused: BTF is damaged" image - "the BTF of this kernel cannot be read: error -[0-9]+"
		case_line "tracing works with damaged BTF" image - tracing
	} >"$TREE/cases"
	VM_KERNEL=$WORK/damaged-kernel boot damaged
fi
