/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The format is the real one.  The types of struct btf are libbpf's.
 */
#ifndef _UNIT_BTF_H
#define _UNIT_BTF_H

#include <linux/kernel.h>
#include_next <linux/btf.h>
#include <bpf/btf.h>

static inline const struct btf_type *btf_type_by_id(const struct btf *btf, u32 id)
{
	return btf__type_by_id(btf, id);
}

#endif /* _UNIT_BTF_H */
