// SPDX-License-Identifier: GPL-2.0-only
/*
 * BPF programs at objtrace_value, one for each way to attach, and at objtrace_add.  libbpf.c loads
 * one of them.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "libbpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);
} seen_map SEC(".maps");

/* As the event's file format shows; the first 8 bytes are the same for all events */
struct value_event {
	unsigned long long	common;
	const void		*ip;
	const void		*parent_ip;
	unsigned long		object;
	unsigned long		value;
};

/* libbpf finds the offsets of these members in the BTF of the module */
struct objtrace_sample {
	unsigned long		object;
	unsigned long long	value;
} __attribute__((preserve_access_index));

struct objtrace_names {
	char			old[64];
} __attribute__((preserve_access_index));

static __always_inline int tell(unsigned long long object, unsigned long long value)
{
	struct seen seen = { .object = object, .value = value };

	bpf_ringbuf_output(&seen_map, &seen, sizeof(seen), 0);
	return 0;
}

SEC("tracepoint/objtrace/objtrace_value")
int on_tracepoint(struct value_event *event)
{
	return tell(event->object, event->value);
}

SEC("raw_tp/objtrace_value")
int on_raw_tp(struct bpf_raw_tracepoint_args *ctx)
{
	struct objtrace_sample *sample = (void *)ctx->args[0];

	return tell(BPF_CORE_READ(sample, object), BPF_CORE_READ(sample, value));
}

SEC("tp_btf/objtrace_value")
int BPF_PROG(on_tp_btf, struct objtrace_sample *sample)
{
	/* The verifier does not know that the argument is never NULL */
	return sample ? tell(sample->object, sample->value) : 0;
}

/* An object that is added has no old value: its name is empty */
SEC("raw_tp/objtrace_add")
int on_add_raw_tp(struct bpf_raw_tracepoint_args *ctx)
{
	struct objtrace_sample *sample = (void *)ctx->args[0];
	struct objtrace_names *names = (void *)ctx->args[2];

	return tell(BPF_CORE_READ(sample, object), BPF_CORE_READ(names, old[0]));
}

SEC("tp_btf/objtrace_add")
int BPF_PROG(on_add_tp_btf, struct objtrace_sample *sample, const char *event,
	     struct objtrace_names *names)
{
	return sample && names ? tell(sample->object, names->old[0]) : 0;
}

char LICENSE[] SEC("license") = "GPL";
