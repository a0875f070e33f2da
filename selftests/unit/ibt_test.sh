#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# ibt_test.sh: ibt-complaints.py complains about each mistake, and about no correct code, in a few
# lines of x86 assembly in place of a module. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

CASES=0
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# A correct module: it calls a sealed function by a static call, and another function directly.
module() {
	cat <<-'EOF'
	.text
	.globl user, own, __SCT__objtrace_called
	__traceiter_event:
		call	*%rax
		ret
	.type user, @function
	user:
		endbr64
	.Lsite:	call	__SCT__objtrace_called
		mov	$__SCT__objtrace_called, %rsi
		call	sealed_function
		jmp	own
	.type own, @function
	own:
		endbr64
		ret
	.section .static_call.text, "ax"
	__SCT__objtrace_called:
		jmp	__x86_return_thunk
	.section .static_call_sites, "aw"
		.long	.Lsite - .
		.long	__SCK__objtrace_called - .
	.section .ibt_endbr_seal, "a"
		.long	own - .
	.data
		.quad	user
		.quad	kernel_function
	EOF
}

# Run a check on the module after a sed script has changed it.
complaints() {	# complaints CHECK SED-SCRIPT
	local argument=()
	case $1 in
	tables)		set -- indirect "$2"; argument=(tables) ;;
	calls)		argument=(called) ;;
	pointers)	argument=("$WORK/sealed") ;;
	esac
	module | sed -e "$2" >"$WORK/module.s"
	"$(cross_prefix x86_64)as" -o "$WORK/module.o" "$WORK/module.s"
	if [ -n "${ADDRESS:-}" ]; then
		"$(cross_prefix x86_64)objcopy" --change-section-address ".text+$ADDRESS" "$WORK/module.o"
	fi
	"$TOP/scripts/ibt-complaints.py" "$1" "$WORK/module.o" "${argument[@]}" 2>&1
}

tap() {	# tap GOOD NAME DETAILS
	CASES=$((CASES + 1))
	if [ -n "$1" ]; then echo "ok $CASES $2"; return; fi
	echo "not ok $CASES $2"
	printf '%s\n' "$3" | sed 's/^/# /'
}

silent() {	# silent CHECK NAME SED-SCRIPT
	local out
	out=$(complaints "$1" "$3") || out="failed: $out"
	tap "$([ -n "$out" ] || echo good)" "$1: $2" "$out"
}

complains() {	# complains CHECK NAME COMPLAINT SED-SCRIPT: of one thing
	local out
	out=$(complaints "$1" "$4") || out="failed: $out"
	tap "$(if [ "$(grep -c . <<<"$out")" = 1 ] && [[ $out == *$3* ]]; then echo good; fi)" "$1: $2" "$out"
}

printf '%s\n' sealed_function other_function >"$WORK/sealed"
TABLE='s/call	sealed_function/jmp *table(,%rax,8)/'
echo "1..31"
for check in indirect calls pointers entries; do silent "$check" "a good module" ''; done
for check in indirect calls pointers entries; do
	ADDRESS=0x340 silent "$check" "a good module whose code has an address" ''
done
complains indirect "a call through a register" 'user: call   *%rax' 's/call	sealed_function/call *%rax/'
complains indirect "a jump through memory" 'user: jmp    *' 's/call	sealed_function/jmp *8(%rax)/'
silent indirect "a call that the kernel changes to a direct call" 's/call	sealed_function/call *pv_ops+8(%rip)/'
complains indirect "a call through another pointer in memory" 'user: call   *' 's/call	sealed_function/call *other_ops+8(%rip)/'
complains indirect "a thunk" 'user: __x86_indirect_thunk_rax' 's/sealed_function/__x86_indirect_thunk_rax/'
complains indirect "the table of a switch" 'user: jmp    *' "$TABLE"
silent tables "the table of a switch" "$TABLE"
complains tables "a jump through a pointer" 'user: jmp    *' 's/call	sealed_function/jmp *8(%rax)/'
silent calls "a static call at the end of a function" 's/^.Lsite:	call/.Lsite:	jmp/'
silent calls "a conditional static call" 's/^.Lsite:	call/.Lsite:	je/'
complains calls "a conditional jump that is no static call" 'no static call there' '
	s/^.Lsite:	call/.Lsite:	je/;s/Lsite - ./Lsite - . + 1/'
complains calls "a call that is no static call" 'no static call there' 's/Lsite - ./Lsite - . + 1/'
complains calls "a static call of another function" '__SCK__other there' 's/__SCK__objtrace_called/__SCK__other/'
complains calls "a trampoline through a pointer" "the trampoline is 'jmp    *" 's/jmp	__x86_return_thunk/jmp *%rax/'
complains calls "a function that nothing calls" 'called: is never called' '/^.Lsite:/s/__SCT__objtrace_called/.Lsite/'
complains pointers "a sealed function in data" '.data+0x8: the address of sealed_function' 's/kernel_function/sealed_function/'
# shellcheck disable=SC2016	# the assembler's
complains pointers "a sealed function in code" '.text+' 's/mov	$__SCT__objtrace_called/mov $other_function/'
complains pointers "a module without pointers" 'no address of the kernel' '/kernel_function/d'
complains entries "a function without ENDBR" 'user has no ENDBR' '/^	user:/,/endbr64/s/endbr64/nop/;/^user:/,/endbr64/s/endbr64/nop/'
silent entries "a trampoline" '/^.type own/i objtrace_tramp_1: ret
s/quad	user/&, objtrace_tramp_1/'
silent entries "the symbol of kCFI before a function" '/^user:/i __cfi_user: nop
/^.data/i .section .cfi_sites, "a"; .long __cfi_user - .'
complains entries "a sealed function" 'own is sealed' 's/quad	user/quad own/'
complains entries "a module without callbacks" 'no address of a function' '/quad	user/d'
