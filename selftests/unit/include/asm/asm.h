/* SPDX-License-Identifier: GPL-2.0-only */
#define _ASM_NOKPROBE(name)
