/* SPDX-License-Identifier: GPL-2.0-only */
#define ANNOTATE_NOENDBR
.macro STACK_FRAME_NON_STANDARD_FP name:req
.endm
