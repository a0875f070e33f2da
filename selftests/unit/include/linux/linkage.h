/* SPDX-License-Identifier: GPL-2.0-only */
#define SYM_CODE_START(name)	.balign 16; .globl name; .type name, %function; name:
#define SYM_CODE_END(name)	.size name, . - name
#define SYM_FUNC_END(name)	SYM_CODE_END(name)
