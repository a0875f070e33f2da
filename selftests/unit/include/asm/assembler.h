/* SPDX-License-Identifier: GPL-2.0-only */
#define NOKPROBE(name)
.macro adr_l dst:req, symbol:req
	adrp	\dst, \symbol
	add	\dst, \dst, :lo12:\symbol
.endm
