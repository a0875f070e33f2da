#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# test.sh [SEED...]
#
# Environment:
#	KERNEL	with "all", the default is more seeds than one
#
# Compare the predictions of generate.py with compilers, on the host: the place of each argument on
# both architectures, and the registers that types/args.c finds in the functions' BTF. On x86-64,
# the functions are called, and all records are compared. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

SEEDS=("$@")
if [ ${#SEEDS[@]} -eq 0 ]; then
	SEEDS=(1)
	if [ "${KERNEL:-}" = all ]; then SEEDS+=(2 3); fi
fi
FUNCTIONS=200
CALLS=20000
CFLAGS=(-std=gnu11 -g -O2 -Wall -Werror -fno-optimize-sibling-calls -fno-strict-aliasing)

HERE=$TOP/selftests/truth
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# Compile the functions without libc, which the other architecture may lack
compile() {	# compile ABI SOURCE ARGUMENT...
	"$(cross_prefix "$1")gcc-12" "${CFLAGS[@]}" -ffreestanding -fno-stack-protector \
		-mgeneral-regs-only -I "$WORK/$1" -I "$HERE" "$2" "${@:3}"
}

# Print "where N PLACE" from the compiler's assembly. On arm64, the code can have moved the stack
# pointer, and have loaded the argument.
places() {	# places FILE
	awk '
	BEGIN {
		nr = split("rdi edi di dil rsi esi si sil rdx edx dx dl rcx ecx cx cl " \
			   "r8 r8d r8w r8b r9 r9d r9w r9b", names)
		for (i = 1; i <= nr; i++)
			number[names[i]] = int((i - 1) / 4)
	}
	function offset(operand) {
		return operand ~ /, / ? substr(operand, index(operand, ", ") + 2) + 0 : 0
	}
	function register(n) {
		return n in loaded ? loaded[n] : "register " n
	}
	function place(operand) {
		gsub(/[%#]/, "", operand)
		if (operand in number)
			return register(number[operand])
		if (operand ~ /^-?[0-9]*\(rsp\)$/)	# behind the return address
			return "stack " operand - 8
		if (operand ~ /^x[0-7]$/)
			return register(substr(operand, 2))
		if (operand ~ /^\[sp/)
			return "stack " offset(operand) - frame
		if (operand ~ /^\[x[0-7]/)
			return "behind " register(substr(operand, 3, 1)) " " \
			       offset(operand)
		return operand
	}
	/^[a-z_0-9]+:/ { frame = 0; split("", loaded) }
	/^\tsub\tsp, sp, #/ { frame = substr($4, 2) }
	/^\tldr[a-z]*\t[xw][0-7], \[sp/ {
		operand = $0
		sub(/^[^[]*/, "", operand)
		loaded[substr($2, 2, 1)] = place(operand)
	}
	/where [0-9]+ / {
		n = $2
		sub(/^.*where [0-9]+ /, "")
		print "where " n " " place($0)
	}' "$1"
}

check_places() {	# check_places ABI
	compile "$1" "$WORK/$1/where.c" -g0 -S -o "$WORK/$1/where.s"
	places "$WORK/$1/where.s" | diff "$WORK/$1/where" - | sed -n 1,10p
}

# Optimization has no part in the prototypes of functions
check_masks() {	# check_masks ABI
	local file
	for file in a b; do
		compile "$1" "$WORK/$1/truth_$file.c" -O0 -c -o "$WORK/$1/$file.o"
		add_btf "$1" "$WORK/$1/$file.o"
	done
	"$WORK/masks" "$1" "$WORK/$1/a.o" "$WORK/$1/b.o" | grep '^ott_t' | sort |
		diff <(sort "$WORK/$1/masks") - | sed -n 1,10p
}

# Run all calls on x86-64
check_records() {	# check_records COMPILER
	local source build=$WORK/x86_64
	for source in "$build/truth_a.c" "$build/truth_b.c" "$HERE/truth_play.c"; do
		"$1" "${CFLAGS[@]}" -ffreestanding -fno-stack-protector -mgeneral-regs-only \
			-I "$build" -I "$HERE" "$source" -pg -mfentry -fno-pie -c \
			-o "$build/$(basename "$source" .c).o"
	done
	gcc-12 "${CFLAGS[@]}" -no-pie -fno-pie -I "$build" -I "$HERE" -o "$build/host" \
		"$HERE/truth_host.c" "$build"/truth_*.o
	"$build/host" <"$build/expected" >"$build/seen"
	diff "$build/expected" "$build/seen" | sed -n 1,10p
}

# Compare a guest's expected trace after a sed script has changed the trace
compare() {	# compare ABI SED-SCRIPT [FUNCTIONS-IN-BTF]
	local name dir=$WORK/$1
	for name in A B C D E F G H; do
		printf '%s 0xffff%012x\n' "$name" "'$name"
	done >"$dir/objects"
	sed 's#^\(.*\) \(.*\)#s/object:\1/object:\2/#' "$dir/objects" >"$dir/sed"
	cut -d' ' -f1 "$dir/masks" | grep "${3:-}" >"$dir/known"
	sed -f "$dir/sed" "$dir/expected" | sed "$2" |
		awk -v list="$dir/expected" -v objects="$dir/objects" \
			-v known="$dir/known" -f "$TOP/selftests/test.d/truth.awk" \
			>"$dir/compared"
}

# truth.awk has to find each difference, except for one value of functions without BTF
# shellcheck disable=SC2016  # $d is the last line
DIFFERENCES=(500d '$d' '/^calls/d' 700p '0,/ value:0x/s//&1/' '0,/ arg[0-9]?/s///'
	'0,/<-ott_s/s//&9/' '0,/ ott_t/s//&9/' '0,/hits:/s//&1/'
	'0,/reason:del/s//reason:clear/' '0,/objtrace_value: .*object:0xffff0*/s//&1/'
	'800s/^/objtrace_value: f <-g object:x value:0x1\n/')
LEFT_OUT='0,/ ott_t[0-9]*7 /{/ ott_t[0-9]*7 /s/0x[0-9a-f]*$/0x7/}'

# The seed has no influence on finding differences, so one seed is enough.
check_comparison() {	# check_comparison SEED ABI
	compare "$2" '' || cat "$WORK/$2/compared"
	if [ "$1" = "${SEEDS[0]}" ]; then check_differences "$2"; fi
}

check_differences() {	# check_differences ABI
	local change
	compare "$1" '' '[1-6]$' || cat "$WORK/$1/compared"
	compare "$1" "$LEFT_OUT" '[1-6]$' || cat "$WORK/$1/compared"
	for change in "$LEFT_OUT" "${DIFFERENCES[@]}"; do
		! compare "$1" "$change" || echo "'$change' makes no difference"
	done
}

masks_program() {
	gcc -std=gnu11 -O2 -I "$TOP/selftests/unit/include" -I "$TOP/selftests/unit" \
		-I "$TOP" -I "$TOP/include" -o "$WORK/masks" "$HERE/masks.c" \
		"$TOP/types/args.c" "$TOP/kernel/member.c" -lbpf
}

count() { grep -c "$1" "$2" || true; }	# count PATTERN FILE

check_abi() {	# check_abi SEED ABI
	local dir=$WORK/$2
	mkdir -p "$dir"
	"$HERE/generate.py" "$1" "$2" "$FUNCTIONS" "$CALLS" "$dir"
	tap "$(check_places "$2" 2>&1)" \
		"seed $1, $2: $(count . "$dir/where") words of arguments are where gcc has them"
	tap "$(check_masks "$2" 2>&1)" \
		"seed $1, $2: $(count . "$dir/masks") functions have the registers that types/args.c finds"
	tap "$(check_comparison "$1" "$2" 2>&1)" \
		"seed $1, $2: the comparison of traces finds each difference"
}

check_seed() {	# check_seed SEED
	local compiler list=$WORK/x86_64/expected
	check_abi "$1" arm64
	check_abi "$1" x86_64
	if [ "$(host_arch)" != x86_64 ]; then return; fi
	for compiler in gcc-12 clang; do
		tap "$(check_records $compiler 2>&1)" "seed $1, $compiler: $(tail -n 1 "$list") \
make the $(count ^objtrace "$list") predicted records"
	done
}

masks_program
for seed in "${SEEDS[@]}"; do check_seed "$seed"; done
echo "1..$CASES"
