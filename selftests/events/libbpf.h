/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the BPF programs of libbpf.bpf.c tell libbpf.c.
 */
#ifndef _OBJTRACE_LIBBPF_H
#define _OBJTRACE_LIBBPF_H

/**
 * struct seen - a record that a BPF program received
 * @object: the object
 * @value: its value
 */
struct seen {
	unsigned long long	object;
	unsigned long long	value;
};

#endif /* _OBJTRACE_LIBBPF_H */
