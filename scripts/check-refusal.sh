#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-refusal.sh ROW ARCH
#
# Boot the row's kernel altered in one thing at a time, see alter-image.pl, and load
# the module as it is. It must refuse what it does not know, see
# selftests/qemu/job-refusal, and be right where it says that it takes things from
# the running kernel.

. "$(dirname "$0")/lib.sh"

# Selftests that use each part of a trigger: its list, filter, count and records.
WORKS_TESTS="test.d/record/two.tc test.d/trigger/filter.tc test.d/trigger/count.tc test.d/trigger/readback.tc"

# What is said of structs that the headers describe.
OTHER_HEADERS="the module was built for another kernel, build it for this one"

alter() {	# alter CHANGE...: sets DIR, for the logs, and VM_KERNEL
	DIR=$WORK/$((++CASES))
	mkdir -p "$DIR"
	export VM_KERNEL=$DIR/kernel
	"$TOP/scripts/alter-image.pl" "$WORK/kernel" "$VM_KERNEL" "$@"
}

# What a guest said that did not do as it should.
complaints() {	# complaints DIR
	grep -v '^ok' "$1/results"
	sed '/^# guest: /,$d' "$1/verdict.log"
	tail -n 15 "$1/console.log" | tr -d '\r'
}

refused() {	# refused NAME LINE CHANGE...: LINE is an extended regular expression
	local name=$1 line=$2
	shift 2
	alter "$@"
	echo "$line" >"$WORK/tree/expected"
	VM_TREE=$WORK/tree "$TOP/scripts/vm-run.sh" "$ROW" "$ARCH" "$TOP/selftests/qemu/job-refusal" "$DIR"
	judged "refused: $name"
}

judged() {	# judged NAME
	local bad=
	"$TOP/scripts/judge.sh" "$DIR" >"$DIR/results" || bad=$(complaints "$DIR")
	result "$bad" "$1"
	rm -f "$VM_KERNEL"
}

works() {	# works NAME CHANGE...
	local name=$1
	shift
	alter "$@"
	TESTS=$WORKS_TESTS "$TOP/scripts/check-vm.sh" "$ROW" "$ARCH" "$DIR" >/dev/null
	judged "works: $name"
}

# Each symbol that the module asks for; kallsyms_lookup_name is asked for the others. It
# takes a boot for each: with KERNEL=all all of them are tried, else every twentieth.
missing_symbols() {
	local name needed unknown="this kernel has no symbol %s: objtrace does not know it"
	needed=$("$TOP/scripts/needed-symbols.sh" "$ROW" "$ARCH")
	if [ "${KERNEL:-}" != all ]; then
		needed=$(awk '$2 == "kallsyms_lookup_name" || NR % 20 == 0' <<<"$needed")
	fi
	while read -r _ name <&3; do
		case $name in
		kallsyms_lookup_name)
			refused "no $name" "$name cannot be found with a kprobe: objtrace does not know this kernel" \
				drop-symbol "$name"
			;;
		*)
			# shellcheck disable=SC2059  # a format
			refused "no $name" "$(printf "$unknown" "$name")" drop-symbol "$name"
			;;
		esac
	done 3<<<"$needed"
	# On arm64 the code that uses it is asked where kallsyms has none
	if [ "$ARCH" = x86_64 ]; then
		refused "no trigger_commands" "trigger_commands cannot be found: objtrace does not know this kernel" \
			drop-symbol trigger_commands
	fi
}

other_types() {
	refused "a member was renamed" \
		"this kernel's struct event_trigger_data has no named_list: objtrace does not know it" \
		rename-member event_trigger_data named_list
	refused "a public member was renamed" \
		"this kernel's struct trace_event_file has no flags: $OTHER_HEADERS" \
		rename-member trace_event_file flags
	refused "a public member lies elsewhere" \
		"this kernel's struct trace_event_file has another tr: $OTHER_HEADERS" \
		move-member trace_event_file tr 64
	refused "a public struct has grown" "this kernel's struct ftrace_ops has another size: $OTHER_HEADERS" \
		resize-struct ftrace_ops 8
	refused "a prototype was changed" \
		"this kernel's update_cond_flag\(\) has the prototype .*, not void \(struct trace_event_file \*\): objtrace does not know it" \
		change-prototype update_cond_flag
	refused "a function is not in BTF" \
		"this kernel's BTF does not describe ftrace_is_dead\(\): objtrace does not know it" \
		drop-function ftrace_is_dead
	# Otherwise the kernel itself takes no module that has BTF
	if [ "$(kconfig "$ROW" "$ARCH" MODULE_ALLOW_BTF_MISMATCH)" = y ]; then
		refused "BTF is damaged" "this kernel's BTF cannot be read: -[0-9]+" break-btf
	fi
	works "a private struct has grown" resize-struct event_trigger_data 8
}

[ $# -eq 2 ] || die "usage: check-refusal.sh ROW ARCH"
ROW=$1
ARCH=$(arch_name "$2")
row_load "$ROW" "$ARCH"
cache_init
WORK=$(mktemp -d "$CACHE/logs/refusal-$ROW-$ARCH.XXXXXX")
CASES=0
VM_KERNEL=$WORK/kernel
trap 'rm -f "$WORK/kernel" "$VM_KERNEL"' EXIT
mkdir -p "$WORK/tree/modules"
build=$("$TOP/scripts/build-module.sh" "$ROW" "$ARCH")
cp "$build/objtrace.ko" "$WORK/tree/modules/"
"$TOP/scripts/kernel-image.pl" kernel "$(kernel_dir "$ROW" "$ARCH")/vmlinuz" >"$WORK/kernel"
export VM_TIMEOUT=${VM_TIMEOUT:-120}
other_types
missing_symbols
