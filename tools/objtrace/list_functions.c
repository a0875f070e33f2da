// SPDX-License-Identifier: GPL-2.0-only
/*
 * The functions that `objtrace follow' takes: ftrace can trace them, no other function has the
 * name, and a pointer is returned or in a register.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/decl.h"
#include "tools/objtrace/list.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/nosuch.h"
#include "tools/objtrace/suggest.h"
#include "tools/objtrace/traced.h"

/* A function of the list.  @name: in the memory of the BTF */
struct found {
	const char		*name;
	struct kbtf_type	proto;
};

/*
 * A search.
 *
 * @options: the command line
 * @taking: the struct of --taking, if there is one
 * @traced: the functions that ftrace can trace
 * @found: the functions
 * @nr_found: number of functions
 * @nr_max: size of @found
 * @is_short: memory is short
 */
struct search {
	const struct list_options	*options;
	struct kbtf_type		taking;
	struct traced			traced;
	struct found			*found;
	size_t				nr_found;
	size_t				nr_max;
	bool				is_short;
};

static bool has_pointer(const struct search *s, const struct kbtf_type *proto)
{
	struct kbtf_type type;
	int i;

	for (i = 0; i < kbtf_nr_params(proto) && kbtf_is_in_register(proto, i); i++) {
		type = kbtf_param_type(proto, i);
		if (s->options->taking ? kbtf_points_to(&type, &s->taking) :
					 !!kbtf_pointee(&type))
			return true;
	}
	type = kbtf_return_type(proto);
	return !s->options->taking && kbtf_pointee(&type);
}

static void add(struct search *s, const char *name, const struct kbtf_type *proto)
{
	struct found *more;

	if (s->nr_found == s->nr_max) {
		more = realloc(s->found, (2 * s->nr_max + 64) * sizeof(*more));
		if (!more) {
			s->is_short = true;
			return;
		}
		s->found = more;
		s->nr_max = 2 * s->nr_max + 64;
	}
	s->found[s->nr_found++] = (struct found){ name, *proto };
}

static void consider_function(const struct kbtf_type *type, const char *name, void *data)
{
	struct search *s = data;
	struct kbtf_type proto = kbtf_prototype(type);

	if (s->options->pattern && fnmatch(s->options->pattern, name, 0))
		return;
	if (has_pointer(s, &proto) && traced_count(&s->traced, name, type->module) == 1)
		add(s, name, &proto);
}

static int compare_functions(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return strcmp(x->name, y->name) ?:
	       strcmp(x->proto.module ?: "", y->proto.module ?: "");
}

static void print_functions(const struct search *s)
{
	const struct found *f = s->found, *end = f + s->nr_found;

	for (; f < end; f++) {
		/* BTF can have a function twice */
		if (f > s->found && !compare_functions(f - 1, f))
			continue;
		decl_print(stdout, &f->proto, f->name);
		if (f->proto.module)
			printf(" [%s]", f->proto.module);
		putchar('\n');
	}
}

/* The name exists in BTF, but its function is not listed */
static const char *reason(const struct search *s, const char *name, const struct kbtf_type *proto)
{
	unsigned int nr = traced_count(&s->traced, name, proto->module);

	if (!nr)
		return "ftrace cannot trace this function";
	if (nr > 1)
		return "several functions have this name, so no probe can choose one";
	if (s->options->taking)
		return "the function has no pointer to this struct in a register";
	return "the function has no pointer in a register, and returns none";
}

static int no_such_function(struct kbtf *k, const struct search *s, const char *pattern)
{
	struct suggestion suggestion;
	struct kbtf_type proto;
	char hint[160];

	if (kbtf_function(k, pattern, &proto))
		return usage_error_at(pattern, 0, "%s", reason(s, pattern, &proto));
	if (traced_count(&s->traced, pattern, NULL))
		return usage_error_at(pattern, 0, "the BTF does not have this function, so its arguments are unknown");
	suggest_init(&suggestion, pattern, strlen(pattern));
	kbtf_similar_functions(k, &suggestion);
	return usage_error_at(pattern, 0, "the kernel has no such function%s",
			      suggest_text(&suggestion, hint, sizeof(hint)));
}

static int nothing_found(struct kbtf *k, const struct search *s)
{
	const struct list_options *o = s->options;

	if (o->pattern && list_is_name(o->pattern))
		return no_such_function(k, s, o->pattern);
	if (o->taking)
		return usage_error_at(o->taking, 0, "no function%s has a pointer to this struct in a register",
				      o->pattern ? " of this pattern" : "");
	return usage_error_at(o->pattern ?: "", 0, "no function that can be followed has such a name");
}

static int search_functions(struct kbtf *k, struct search *s)
{
	int ret = traced_read(&s->traced);

	if (ret)
		return refusal("the functions of ftrace cannot be read: %s; `objtrace doctor' shows the reason",
			       strerror(-ret));
	kbtf_each(k, BTF_KIND_FUNC, consider_function, s);
	if (s->is_short)
		return refusal("out of memory");
	if (!s->nr_found)
		return nothing_found(k, s);
	qsort(s->found, s->nr_found, sizeof(*s->found), compare_functions);
	print_functions(s);
	return EXIT_DONE;
}

/**
 * list_functions() - list functions
 * @k: the BTF
 * @o: the command line
 *
 * Return: the exit code of the program.
 */
int list_functions(struct kbtf *k, const struct list_options *o)
{
	struct search s = { .options = o };
	int ret;

	if (o->taking && !kbtf_composite(k, o->taking, &s.taking))
		return nosuch_struct(k, o->taking);
	ret = search_functions(k, &s);
	free(s.found);
	traced_free(&s.traced);
	return ret;
}
