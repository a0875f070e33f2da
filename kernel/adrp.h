/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _OBJTRACE_ADRP_H
#define _OBJTRACE_ADRP_H

#include <linux/types.h>

u64 objtrace_adrp_next(const u32 *insn, unsigned int nr, u64 addr,
		       unsigned int *pos);
bool objtrace_is_landing_pad(u32 insn);

#endif /* _OBJTRACE_ADRP_H */
