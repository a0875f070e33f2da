// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's BTF has the offsets of members, and the order of arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/context_plan.h"
#include "tools/objtrace/kbtf.h"

/* "{STRUCT.MEMBER}" becomes an offset.  Returns the number of characters, or 0 without the member */
static int put_offset(FILE *out, struct kbtf *k, const char *text)
{
	char tag[64], member[64];
	struct kbtf_type type;
	struct kbtf_path end;
	int len = 0;

	if (sscanf(text, "{%63[^.].%63[^}]}%n", tag, member, &len) != 2 || !len ||
	    !kbtf_struct(k, tag, &type) || !kbtf_member(&type, member, &end))
		return 0;
	fprintf(out, "%u", end.offset);
	return len;
}

static bool put_args(FILE *out, struct kbtf *k, const char *args, int nr)
{
	int len;

	fprintf(out, CONTEXT_FIELD "=$arg%d ", nr);
	for (; *args; args += len) {
		len = *args == '{' ? put_offset(out, k, args) : 1;
		if (!len)
			return false;
		if (*args == '%')
			fprintf(out, "$arg%d", nr);
		else if (*args != '{')
			fputc(*args, out);
	}
	return true;
}

/* The arguments of the kernel's command for a probe.  @nr: number of the argument with the object */
static char *probe_args(struct kbtf *k, const char *args, int nr)
{
	char *text = NULL;
	bool is_complete;
	size_t size;
	FILE *out = nr ? open_memstream(&text, &size) : NULL;

	if (!out)
		return NULL;
	is_complete = put_args(out, k, args, nr);
	if (!fclose(out) && is_complete)
		return text;
	free(text);
	return NULL;
}

/* The number of the argument from @first on that points to a struct, counted from 1; or 0 */
static int find_arg(const struct kbtf_type *proto, int first, const char *tag)
{
	struct kbtf_type type;
	const char *name;
	int i;

	for (i = first; i < kbtf_nr_params(proto); i++) {
		type = kbtf_param_type(proto, i);
		name = kbtf_pointee(&type);
		if (name && !strcmp(name, tag))
			return i - first + 1;
	}
	return 0;
}

static void plan_probe(struct kbtf *k, const struct context *context, char **probe, char **other)
{
	struct kbtf_type proto;

	if (kbtf_tracepoint(k, context->event, &proto))
		*probe = probe_args(k, context->args, find_arg(&proto, 1, context->type));
	if (kbtf_function(k, context->function, &proto))
		*other = probe_args(k, context->args, find_arg(&proto, 0, context->type));
}

/**
 * context_plan() - choose the events for a struct
 * @k: the BTF of the kernel
 * @type: the struct, or a struct that begins with it
 * @plan: the result; free it with context_plan_free()
 */
void context_plan(struct kbtf *k, const struct kbtf_type *type, struct context_plan *plan)
{
	const struct context *context = NULL;
	int nr = 0;

	*plan = (struct context_plan){};
	while ((context = context_next(context)) && nr < CONTEXT_MAX) {
		if (!type->btf || !kbtf_begins_with(type, context->type))
			continue;
		if (!context->system)
			plan_probe(k, context, &plan->probes[nr], &plan->others[nr]);
		if (context->system || plan->probes[nr] || plan->others[nr])
			plan->events[nr++] = context;
	}
	plan->nr = nr;
}

/**
 * context_plan_free() - free a plan
 * @plan: what context_plan() made, or zeroes
 */
void context_plan_free(struct context_plan *plan)
{
	int i;

	for (i = 0; i < plan->nr; i++) {
		free(plan->probes[i]);
		free(plan->others[i]);
	}
	plan->nr = 0;
}
