// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of the user, into the error_log of the instance that was written to.
 *
 * The kernel's log keeps pointers to the sentences and follows them whenever
 * error_log is read, also when this module is long gone.  So the sentences are
 * copied once, at the first error, and that copy is never freed: about 5 KiB for
 * each time the module is loaded and gets a wrong command.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "objtrace.h"
#include "objtrace_ksyms.h"

/* As long as the kernel's own copy of it may be */
#define LOCATION_LEN	128

/* Sentences by enum objtrace_error_id.  Written and read under event_mutex */
static const char **sentences;

static size_t sentences_size(void)
{
	size_t size = OBJTRACE_NR_ERRORS * sizeof(*sentences);
	unsigned int i;

	for (i = 0; i < OBJTRACE_NR_ERRORS; i++)
		size += strlen(objtrace_error_text(i)) + 1;
	return size;
}

/* The pointers, and behind them what they point to */
static const char **copy_sentences(void)
{
	const char **copy = kmalloc(sentences_size(), GFP_KERNEL);
	unsigned int i;
	size_t len;
	char *text;

	if (!copy)
		return NULL;
	kmemleak_not_leak(copy);

	text = (char *)&copy[OBJTRACE_NR_ERRORS];
	for (i = 0; i < OBJTRACE_NR_ERRORS; i++) {
		len = strlen(objtrace_error_text(i)) + 1;
		copy[i] = memcpy(text, objtrace_error_text(i), len);
		text += len;
	}
	return copy;
}

/**
 * objtrace_errlog() - tell the user what is wrong
 * @tr: the instance that was written to
 * @glob: the command's name as written, with its '!' if there is one
 * @param: what follows it, or NULL
 * @error: what is wrong, and where in @param
 *
 * A sentence is the same for all commands.  What differs, the struct in which a
 * member was looked for, stands before it: the kernel copies that part.
 *
 * If there is no memory for it, the errno has to do.
 *
 * Context: task, event_mutex held.
 * Return: the negative errno that belongs to @error
 */
int objtrace_errlog(struct trace_array *tr, const char *glob, const char *param,
		    const struct objtrace_error *error)
{
	char location[LOCATION_LEN];
	char *command;

	if (!sentences)
		sentences = copy_sentences();
	scnprintf(location, sizeof(location), "objtrace%s%s", error->in[0] ? ": " : "",
		  error->in);
	command = kasprintf(GFP_KERNEL, "%s:%s", glob, param ?: "");
	if (sentences && command)
		ksym(tracing_log_err)(tr, location, command, sentences, error->id,
				      strlen(glob) + 1 + error->pos);
	kfree(command);
	return objtrace_error_errno(error->id);
}
