/* SPDX-License-Identifier: GPL-2.0-only */
#ifdef __x86_64__
#define MCOUNT_INSN_SIZE	5
#else
#define MCOUNT_INSN_SIZE	4
#endif
