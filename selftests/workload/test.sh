#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# test.sh
#
# Tests of check.py with written traces. It accepts the correct trace, and finds each mistake. It
# computes the same registers for all kinds of prototypes as generate.py. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

HERE=$TOP/selftests/workload
FUNCTIONS=300			# prototypes, see selftests/truth
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# The output for the correct trace
RIGHT='28 objects, 590 unmarked records proved right, 76 marked (11.4 %): '
RIGHT+='ws_cloned.isra.0 48, ws_twin 28'

# Mistakes of sample.py, with the expected complaints
MISTAKES='
register	ws_put receives no object in register 2
number		ws_second receives no object in register 1
narrow		ws_address receives no object in register 2
abi		ws_large receives no object in register
half		ws_pair receives no object in register 1
rest		register 2 of ws_print belongs to its "..."
nothing		ws_nothing receives no object in register 1
namesake	ws_same receives no object in register 1
twin		the kernel has several functions called ws_twin
clone		the BTF of the kernel has no ws_cloned.isra.0
unknown		the BTF of the kernel has no ws_unknown
inside		no function begins at 0x
stranger	its id has no objtrace_add
meaning		belongs to another object
twice		its id was added twice
again		the trigger tracks it already
freed		its memory was freed (kmem_cache_free)
late		a marked record of ws_twin, .*: its memory was freed (kmem_cache_free)
deleted		ws_put object:.* its memory was freed
ended		it ended with objtrace_del
deleted-twice	has two objtrace_del
bulk		its memory was freed (free_bulk)
sheaf		its memory was freed (free_sheaf)
around		its memory was freed (around_rcu)
nolock		its memory was freed (free_nolock)
unseen		its memory was allocated again (kmem_cache_alloc)
gone		the kernel released it (gone_put)
task		the kernel released it (gone_put)
missed		are not proved, but the kernel missed 2 hits of probes
made		it was used again (made_alloc)
dead		it was added while its memory was free
lost		the kernel lost events
cut		events, the kernel counted
hits		not all hits are in the trace
unwritten	records were written, .* are in the trace
layout		next is at 8 in struct ws_object, but free_sheaf uses 16
absent		ws_void() has no probe, but the kernel has it
objects		only .* objects were added
few		only .* records
other		no function takes a struct ws_other \*
memory		only .* slab events and probes
endless		objects were seen to end
unprobed	no probe is on the frees that have no tracepoint
'

# The BTF of a source file, in NAME.btf
make_btf() {	# make_btf ABI NAME PAHOLE-OPTION...
	local out=$WORK/$1/$2
	"$(cross_prefix "$1")gcc-12" -std=gnu11 -g -O2 -Wall -ffreestanding \
		-fno-stack-protector -c -o "$out.o" "$HERE/$2.c"
	add_btf "$1" "$out.o" "${@:3}"
	"$(cross_prefix "$1")objcopy" --dump-section ".BTF=$out.btf" "$out.o" "$out.tmp"
}

prepare() {	# prepare ABI
	mkdir -p "$WORK/$1/btf"
	make_btf "$1" sample
	# A kernel's BTF can have several functions with one name, but a file's BTF cannot
	LC_ALL=C sed -i -e 's/ws_bosh/ws_both/' -e 's/ws_some/ws_same/' "$WORK/$1/sample.btf"
	make_btf "$1" sample_module --btf_base="$WORK/$1/sample.btf"
	mv "$WORK/$1/sample_module.btf" "$WORK/$1/btf/ws_mod"
}

# The output of check.py for a trace, with its exit status in the last line
check() {	# check ABI [MISTAKE]
	"$HERE/sample.py" "$1" "$WORK/$1" "${2:-}"
	local status=0
	"$HERE/check.py" "$1" "$WORK/$1/sample.btf" "$WORK/$1" sample 2>&1 || status=$?
	echo "status $status"
}

check_good() {	# check_good ABI
	local said
	said=$(check "$1")
	[ "$said" = "ok workload sample: $RIGHT"$'\n'"status 0" ] || echo "$said"
}

check_mistake() {	# check_mistake ABI MISTAKE WHAT-IS-SAID
	local said
	said=$(check "$1" "$2")
	grep -q '^not ok workload sample: ' <<<"$said" && grep -q '^status 1$' <<<"$said" &&
		grep -q -- "$3" <<<"$said" || echo "$said"
}

check_mistakes() {	# check_mistakes ABI
	local mistake said
	while read -r mistake said; do
		if [ -z "$mistake" ]; then continue; fi
		tap "$(check_mistake "$1" "$mistake" "$said" 2>&1)" "$1: $mistake: $said"
	done <<<"$MISTAKES"
}

# A guest's incomplete files are errors, too
check_missing() {	# check_missing ABI FILE WHAT-IS-SAID
	local said
	"$HERE/sample.py" "$1" "$WORK/$1"
	rm "$WORK/$1/sample/$2"
	said=$("$HERE/check.py" "$1" "$WORK/$1/sample.btf" "$WORK/$1" sample 2>&1) &&
		echo "accepted without $2"
	grep -q "^not ok workload sample: .*$3" <<<"$said" || echo "$said"
}

# As types/args.c is tested, see selftests/truth/test.sh
check_registers() {	# check_registers ABI
	local dir=$WORK/$1 file
	"$TOP/selftests/truth/generate.py" 1 "$1" "$FUNCTIONS" 1000 "$dir"
	for file in a b; do
		"$(cross_prefix "$1")gcc-12" -std=gnu11 -g -O2 -ffreestanding -fno-stack-protector \
			-mgeneral-regs-only -I "$dir" -I "$TOP/selftests/truth" \
			-c -o "$dir/$file.o" "$dir/truth_$file.c"
		add_btf "$1" "$dir/$file.o"
		"$(cross_prefix "$1")objcopy" --dump-section ".BTF=$dir/$file.btf" "$dir/$file.o" \
			"$dir/$file.tmp"
	done
	"$HERE/masks.py" "$1" "$dir"/[ab].btf | grep '^ott_t' | sort |
		diff <(sort "$dir/masks") - | sed -n 1,10p
}

for abi in x86_64 arm64; do
	prepare "$abi"
	tap "$(check_good "$abi" 2>&1)" "$abi: a trace in which all is right"
	check_mistakes "$abi"
	tap "$(check_missing "$abi" cpu1 'cpu1: No such file' 2>&1)" "$abi: a CPU's events are missing"
	tap "$(check_missing "$abi" manifest 'manifest: No such file' 2>&1)" "$abi: no trace"
	tap "$(check_registers "$abi" 2>&1)" "$abi: registers of $FUNCTIONS made-up functions"
done
echo "1..$CASES"
