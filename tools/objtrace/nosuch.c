// SPDX-License-Identifier: GPL-2.0-only
/*
 * A word of the command line that is a name gets a suggestion.
 */
#include <string.h>

#include "tools/objtrace/kbtf.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/nosuch.h"
#include "tools/objtrace/suggest.h"

/**
 * nosuch_struct() - report a struct that does not exist
 * @k: the BTF
 * @name: the word of the command line
 *
 * Return: EXIT_USAGE.
 */
int nosuch_struct(struct kbtf *k, const char *name)
{
	struct suggestion s;
	char hint[160];

	suggest_init(&s, name, strlen(name));
	kbtf_similar_structs(k, &s);
	return usage_error_at(name, 0, "the kernel and its modules have no such struct%s",
			      suggest_text(&s, hint, sizeof(hint)));
}
