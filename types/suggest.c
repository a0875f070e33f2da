// SPDX-License-Identifier: GPL-2.0-only
/*
 * Suggest members, see types/suggest.h.
 *
 * A macro for a nested member mostly has the member's name, or the name with another prefix:
 * bi_size stands for bi_iter.bi_size, and sk_state for __sk_common.skc_state.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "command/parse.h"
#include "kernel/member.h"
#include "types/suggest.h"

/* Structs that are entered on the way to a suggested member */
#define MAX_LEVELS	4

/**
 * struct suggesting - search for members that a user may mean
 * @btf: the BTF
 * @error: the suggestions are added to its text, as far as there is room
 * @name: the member that does not exist; without a NUL at the end
 * @len: number of characters of @name
 * @by_end: search for names with the end of @name; else for @name itself
 * @nr: number of suggestions
 * @path: the way to the current struct, with a dot at the end
 */
struct suggesting {
	const struct btf	*btf;
	struct objtrace_error	*error;
	const char		*name;
	size_t			len;
	bool			by_end;
	unsigned int		nr;
	char			path[OBJTRACE_PATH_LEN];
};

static void suggest(struct suggesting *s, size_t used, const char *name)
{
	char *end = s->error->in + strlen(s->error->in);

	/* Continue within the parentheses */
	if (s->nr)
		*(end - strlen("?)")) = '\0';
	if (objtrace_error_add(s->error, "%s%.*s%s?)", s->nr ? ", " : " (did you mean ",
			       (int)used, s->path, name))
		s->nr++;
	else if (s->nr)
		objtrace_error_add(s->error, "?)");
}

/* Length of the prefix of a name, as sk in sk_state; 0 if there is none */
static size_t prefix_len(const char *name, size_t len)
{
	size_t i = 0;

	while (i < len && name[i] == '_')
		i++;
	for (; i < len; i++)
		if (name[i] == '_')
			return i;
	return 0;
}

/* state and sk_state have the end _state: so have __state and skc_state */
static bool has_same_end(const struct suggesting *s, const char *found)
{
	size_t prefix = prefix_len(s->name, s->len);
	const char *end = prefix ? s->name + prefix + strlen("_") : s->name;
	size_t len = s->name + s->len - end, found_len = strlen(found);

	return len && found_len > len && found[found_len - len - 1] == '_' &&
	       !memcmp(found + found_len - len, end, len);
}

/* state and __state are the same name: the kernel renames members like this */
static bool is_same_member(const struct suggesting *s, const char *found)
{
	const char *name = s->name, *end = name + s->len;

	while (name < end && *name == '_')
		name++;
	while (*found == '_')
		found++;
	return name < end && !strncmp(found, name, end - name) && !found[end - name];
}

static bool is_meant(const struct suggesting *s, const char *found)
{
	bool is_same = is_same_member(s, found);

	return s->by_end ? !is_same && has_same_end(s, found) : is_same;
}

/* Search the structs that are @level named structs below @t */
static void search_level(struct suggesting *s, const struct btf_type *t, size_t used,
			 unsigned int level, unsigned int depth)
{
	struct objtrace_member member;
	const struct btf_type *inner;
	unsigned int i;
	const char *name;
	size_t len;

	for (i = 0; depth && i < BTF_INFO_VLEN(t->info); i++) {
		name = name_in(s->btf, members_of(t)[i].name_off);
		if (name[0] && !level && is_meant(s, name))
			suggest(s, used, name);
		objtrace_member_at(s->btf, t, i, &member);
		inner = objtrace_type_skip(s->btf, &member.type);
		if (!inner || !has_members(inner) || (name[0] && !level))
			continue;
		len = 0;
		if (name[0])
			len = scnprintf(s->path + used, sizeof(s->path) - used, "%s.", name);
		/* A longer path cannot be in a command */
		if (used + len < sizeof(s->path) - 1)
			search_level(s, inner, used + len, level - !!name[0], depth - 1);
	}
}

/**
 * objtrace_suggest_member() - add members that the user may mean to the text of an error
 * @btf: the BTF
 * @t: the struct or union without the member
 * @name: the member
 * @len: number of characters of @name, which need not end there
 * @error: the error; its text has the struct
 *
 * Members with the same name come first, then members with the same end after the first
 * underscore.  Underscores at the beginning do not matter.  Members behind pointers and in
 * arrays are not searched.
 *
 * Context: task.  Walks over all members of the struct several times.
 */
void objtrace_suggest_member(const struct btf *btf, const struct btf_type *t, const char *name,
			     size_t len, struct objtrace_error *error)
{
	struct suggesting s = { .btf = btf, .error = error, .name = name, .len = len };
	unsigned int pass, level;

	for (pass = 0; pass < 2; pass++) {
		s.by_end = pass;
		for (level = 0; level < MAX_LEVELS; level++)
			search_level(&s, t, 0, level, OBJTRACE_TYPE_DEPTH);
	}
}
