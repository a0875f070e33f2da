/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's functions for kernel/btf.c, for BTF that libbpf has read or made.
 */
#ifndef _UNIT_KERNEL_BTF_H
#define _UNIT_KERNEL_BTF_H

#include <linux/btf.h>

#include "kernel/ksyms.h"

static struct btf *kernel_btf;

struct btf *objtrace_bpf_get_btf_vmlinux(void)
{
	return kernel_btf;
}

const char *objtrace_btf_name_by_offset(const struct btf *btf, u32 offset)
{
	return btf__name_by_offset(btf, offset);
}

#endif /* _UNIT_KERNEL_BTF_H */
