/* SPDX-License-Identifier: GPL-2.0-only */
#define NOKPROBE(name)
