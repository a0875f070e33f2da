#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# miss_path_test.sh: miss-path.py complains about each mistake, and about no correct code, in a few
# lines of assembly in place of a module. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

TRAMPOLINES=(small1 small2 small3 small large1 large2 large3)
ENTRIES=(entry1 entry2 entry3 entry_any)

# A correct module. The other trampolines jump to the first trampoline, and the other callbacks
# to the first callback.
module_x86_64() {
	cat <<-'EOF'
	.section .call_sites, "a"
		.long	0
	.macro resume
	771:	jmp	__x86_return_thunk
		.section .altinstructions, "a"
		.long	771b - ., 772f - ., 0
		.section .altinstr_replacement, "ax"
	772:	ret
		.text
	.endm
	.text
	.globl objtrace_tramp_look, objtrace_tramp_next, __x86_return_thunk
	objtrace_tramp_look:
		push	%rdi
		incl	%gs:0(%rip)
		call	objtrace_fops_look
		resume
	objtrace_tramp_next:
		cmpb	$0, second(%r10)
		jne	objtrace_tramp_look
		resume
	objtrace_tramp_large:
		cmpb	$0, first(%r10)
		jne	objtrace_tramp_next
		resume
	own:
		mov	%rax, 8(%rsp)
		cmp	%rdi, start(%rip)
		ret
	objtrace_fops_entry:
		push	%rbx
		mov	%rdi, (%rsp)
		call	own
		nopw	0(%rax,%rax,1)
		jne	look_closer_at_args.isra.0
		pop	%rbx
		ret
	.globl look_closer_at_args.isra.0
	look_closer_at_args.isra.0:
		movq	$0, first(%rip)
		ret
	.globl objtrace_fops_look
	objtrace_fops_look:
		push	%rdi
		incl	%gs:count(%rip)
		call	note_hit
		call	note_rare_hit
		call	rcu_is_watching
		pop	%rdi
		ret
	note_hit:
		movq	$0, 8(%rdi)
		ret
	note_rare_hit:
		movq	$0, seen(%rip)
		ret
	EOF
}

module_arm64() {
	cat <<-'EOF'
	.text
	.globl objtrace_tramp_look, objtrace_tramp_next, __x86_return_thunk
	objtrace_tramp_look:
		str	x0, [x1]
		bl	objtrace_fops_look
		ret
	objtrace_tramp_next:
		ldrb	w11, [x10, x11]
		tbnz	w11, #0, objtrace_tramp_look
		mov	x10, x30
		ret	x10
	objtrace_tramp_large:
		ldrb	w11, [x10, x11]
		cbnz	w11, objtrace_tramp_next
		ret	x10
	own:
		str	x0, [sp, #8]
		ret
	objtrace_fops_entry:
		stp	x29, x30, [sp, #-16]!
		bl	own
		cbnz	w0, look_closer_at_args
		ldp	x29, x30, [sp], #16
		ret
	look_closer_at_args:
		str	x0, [x1]
		ret
	.globl objtrace_fops_look
	objtrace_fops_look:
		str	x30, [sp, #-16]!
		str	x2, [x3]
		bl	note_hit
		bl	note_rare_hit
		bl	rcu_is_watching
		ldr	x30, [sp], #16
		ret
	note_hit:
		str	x0, [x1, #8]
		ret
	note_rare_hit:
		str	x0, [x1]
		ret
	EOF
}

# The functions on the path of a hit, and whose memory they write
TABLE='objtrace_fops_look cpu a count
note_hit object a value
note_rare_hit - left out'

# The complaints about the module after a sed script has changed the module.
complaints() {	# complaints ARCH SED-SCRIPT
	local name prefix jump
	prefix=$(cross_prefix "$1")
	jump=$(if [ "$1" = x86_64 ]; then echo jmp; else echo b; fi)
	{
		"module_$1"
		for name in "${TRAMPOLINES[@]}"; do echo "objtrace_tramp_$name: $jump objtrace_tramp_large"; done
		for name in "${ENTRIES[@]}"; do echo "objtrace_fops_$name: $jump objtrace_fops_entry"; done
	} | sed -e "$2" >"$WORK/module.s"
	"${prefix}as" -o "$WORK/module.o" "$WORK/module.s"
	"${prefix}objcopy" --change-section-address .text=${TEXT_ADDRESS:-0} "$WORK/module.o"
	echo "$TABLE" >"$WORK/table"
	CROSS_COMPILE=$prefix "$TOP/scripts/miss-path.py" "$WORK/module.o" ${TABLE:+"$WORK/table"} 2>&1
}

silent() {	# silent ARCH NAME SED-SCRIPT
	tap "$(complaints "$1" "$3" || echo failed)" "$1: $2"
}

# Each complaint is the expected complaint, about a function or about all functions with its code
complains() {	# complains ARCH NAME COMPLAINT SED-SCRIPT
	local out
	out=$(complaints "$1" "$4") || out="failed: $out"
	tap "$(if [ -z "$out" ] || grep -v -q -F -e "$3" <<<"$out"; then echo "said: $out"; fi)" "$1: $2"
}

x86_64() {
	local way='/^objtrace_tramp_next:/a' callback='/^objtrace_fops_entry:/a'
	local frame='/^objtrace_fops_look:/a push %rbp; mov %rsp, %rbp;'
	silent x86_64 "a good module" ''
	silent x86_64 "instructions that only read" "$way testb \$1, second(%r10); imull (%r10); btl \$1, (%r10); lea (%r10), %r11"
	silent x86_64 "variables below the frame pointer" "$frame mov %rdi, -0x30(%rbp)"
	complains x86_64 "a store above the frame pointer" ': mov ' "$frame mov %rdi, 0x30(%rbp)"
	complains x86_64 "a store below rbp, without frame pointers" ': mov ' \
		'/^objtrace_fops_look:/a mov %rdi, -0x30(%rbp)'
	complains x86_64 "a counter" ': incl ' "$way incl count(%rip)"
	complains x86_64 "a per-CPU counter" ': incl ' "$way incl %gs:count(%rip)"
	complains x86_64 "a store" ': mov ' "$way mov %rdi, seen(%rip)"
	complains x86_64 "a store through a register" ': movb ' "$way movb \$1, 8(%r10,%r11)"
	complains x86_64 "a store outside of the stack" ': mov ' "$callback mov %rdi, (%rsp,%rdi,8)"
	complains x86_64 "an atomic operation" ': lock ' "$way lock orb \$1, first(%r10)"
	complains x86_64 "an exchange" ': xchg ' "$way xchg %rax, (%r10)"
	complains x86_64 "a string instruction" ': rep stos ' "$way rep stosq"
	complains x86_64 "a store after the first level" 'objtrace_tramp_' '/^objtrace_tramp_next:/a setne seen(%rip)'
	complains x86_64 "a store in a called function" 'objtrace_fops_entry' '/^own:/a mov %rdi, (%rax)'
	complains x86_64 "a store on one of two paths" ': mov ' "/jne	look_closer_at_args/i jne 1f
		/^.globl look_closer_at_args/i 1: mov %rdi, (%rdi); ret"
	complains x86_64 "a call of the kernel" '(preempt_schedule)' "$callback call preempt_schedule"
	complains x86_64 "a call through a pointer" ': call *' "$callback call *%rax"
	complains x86_64 "a missing callback" 'objtrace_fops_entry2: does not exist' '/^objtrace_fops_entry2:/d'
	complains x86_64 "trampolines that check no value" ': never looks at a value' '/jne	objtrace_tramp_look/d'
	complains x86_64 "a return that the kernel counts" 'objtrace_tramp_large: jmp ' \
		'/^objtrace_tramp_large:/,/resume/s/resume/jmp	__x86_return_thunk/
		/^objtrace_tramp_\(small\|large[123]\)/s/:.*/: jne objtrace_tramp_next; resume/'
	complains x86_64 "a return that the kernel counts, after the call of C" 'objtrace_tramp_look: jmp ' \
		'/call	objtrace_fops_look/,/resume/s/resume/jmp	__x86_return_thunk/'
	complains x86_64 "a return whose replacement is counted" ': is counted' \
		'/^772:/s/ret/jmp	__x86_return_thunk/'
	# The linker script of Linux 6.19 does this
	TEXT_ADDRESS=0xd40 silent x86_64 "a section with an address" ''
	silent x86_64 "a static function in a section of its own" \
		's/.globl look_closer_at_args.isra.0/.section .text.own, "ax"/; /^.globl objtrace_fops_look/i .text'
	complains x86_64 "a store in a static function in a section of its own" ': mov ' \
		'/^own:/i .section .text.own, "ax"
		/^own:/a mov %rdi, (%rax)
		/^objtrace_fops_entry:/i .text'
	silent x86_64 "returns that are not counted, because the kernel counts no calls" \
		'/call_sites/d; s/	resume/	jmp	__x86_return_thunk/'
	complains x86_64 "a callback that does not return" ': ud2' '/^objtrace_fops_entry:/,/ret/s/ret/ud2/'
	complains x86_64 "a hit that counts for all processors" \
		'objtrace_fops_look: objtrace_fops_look stores to shared memory: incl ' 's/incl	%gs:/incl	/'
	TABLE='' silent x86_64 "a hit that counts for all processors, without a table" 's/incl	%gs:/incl	/'
	complains x86_64 "a store of a hit that the table lacks" \
		'objtrace_fops_look: find stores, and is not in the table: movb ' \
		"/call	note_hit/a call find
		\$a find: movb \$0, seen(%rip); ret"
	TABLE="$TABLE
		nobody cpu a count" complains x86_64 "a function of the table that is not there" \
		'objtrace_fops_look: nobody of the table is not on the path' ''
	TABLE="note_hit processor a value" complains x86_64 "a table with unknown memory" \
		'note_hit processor a value: not FUNCTION MEMORY WHAT' ''
	complains x86_64 "a missing hit" 'objtrace_fops_look: does not exist' \
		's/^objtrace_fops_look:/another:/'
}

arm64() {
	local way='/^objtrace_tramp_next:/a'
	silent arm64 "a good module" ''
	silent arm64 "instructions that only read" "$way ldr x10, [x11], #8; ldp x10, x11, [x12]; prfm pldl1keep, [x10]"
	silent arm64 "a return address on the shadow call stack" "$way str x30, [x18], #8"
	complains arm64 "another store through the register of the shadow call stack" ': str ' "$way str x10, [x18], #8"
	complains arm64 "a store" ': strb ' "$way strb w11, [x10]"
	complains arm64 "a store of two registers" ': stp ' "$way stp x10, x11, [x12, #16]"
	complains arm64 "an exclusive store" ': stxr ' "$way stxr w10, w11, [x12]"
	complains arm64 "a store outside of the stack" ': str ' "$way str x10, [x29]"
	complains arm64 "an atomic operation" ': ldadd ' "$way .arch armv8.1-a; ldadd x10, x11, [x12]"
	complains arm64 "a store in a called function" 'objtrace_fops_entry' '/^own:/a str x0, [x1]'
	complains arm64 "a call of the kernel" '(preempt_schedule)' '/stp	x29/a bl preempt_schedule'
	complains arm64 "a call through a pointer" ': blr ' '/stp	x29/a blr x10'
	complains arm64 "a store of a hit that the table lacks" \
		'objtrace_fops_look: find stores, and is not in the table: strb ' \
		"/bl	note_hit/a bl find
		\$a find: strb w0, [x1]; ret"
	complains arm64 "trampolines that check no value" ': never looks at a value' '/tbnz/d'
}

x86_64
arm64
echo "1..$CASES"
