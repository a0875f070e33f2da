// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of the user, into the error_log of the instance that was written to, or of the
 * one at the top.
 *
 * The kernel's log keeps pointers to the sentences and follows them whenever
 * error_log is read, also when this module is long gone.  So the sentences are
 * copied once, at the first error, and that copy is never freed: about 5 KiB for
 * each time the module is loaded and gets a wrong command.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command/errlog.h"
#include "command/parse.h"
#include "kernel/ksyms.h"

/* As long as the kernel's own copy of it may be */
#define LOCATION_LEN	128

/* Inside of event_mutex, and of the mutex of who writes to our own files */
static DEFINE_MUTEX(errlog_mutex);

/* Sentences by enum objtrace_error_id.  Written once, under errlog_mutex */
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

/* @pos is the column of the caret; the instance is the one at the top if @tr is NULL */
static void log_error(struct trace_array *tr, const char *location, const char *command,
		      unsigned int pos, const struct objtrace_error *error)
{
	mutex_lock(&errlog_mutex);
	if (!sentences)
		sentences = copy_sentences();
	if (sentences)
		ksym(tracing_log_err)(tr, location, command, sentences, error->id, pos);
	mutex_unlock(&errlog_mutex);
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
 */
void objtrace_errlog(struct trace_array *tr, const char *glob, const char *param,
		     const struct objtrace_error *error)
{
	char location[LOCATION_LEN];
	char *command;

	scnprintf(location, sizeof(location), "objtrace%s%s", error->in[0] ? ": " : "",
		  error->in);
	command = kasprintf(GFP_KERNEL, "%s:%s", glob, param ?: "");
	if (command)
		log_error(tr, location, command, strlen(glob) + 1 + error->pos, error);
	kfree(command);
}

/**
 * objtrace_errlog_file() - tell the user what is wrong with what was written to a file
 * @file: its name
 * @text: the wrong pattern, or what else the caret is to be under; not empty
 * @error: what is wrong, and where in @text
 *
 * In the instance at the top: such files are for all.
 *
 * Context: task.
 */
void objtrace_errlog_file(const char *file, const char *text,
			  const struct objtrace_error *error)
{
	char location[LOCATION_LEN];

	scnprintf(location, sizeof(location), "objtrace: %s", file);
	log_error(NULL, location, text, error->pos, error);
}
