// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write errors of the user to an error_log.
 *
 * The kernel's error_log stores pointers to the sentences, and follows the pointers each time that
 * it is read, even after this module was unloaded.  So the first error copies all sentences, and
 * the copy is never freed: about 5 KiB for each load of the module with a wrong command.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command/errlog.h"
#include "command/error.h"
#include "kernel/ksyms.h"

/* Size of the kernel's own buffer for the text in front of the sentence */
#define LOCATION_LEN	128

/* Taken inside of event_mutex, and inside of the mutex of files/filter_files.c */
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

/* Allocate one block: first the pointers, then the sentences */
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

/* @pos is the column of the caret; @tr is NULL for the top instance */
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
 * objtrace_errlog() - write the error of a command to an instance's error_log
 * @tr: the instance
 * @glob: name of the command as written, with its "!"
 * @param: text after the name, or NULL
 * @error: the error, with its column in @param
 *
 * The kernel prints the caret below the whole text.  So only the first line of a command is written.
 *
 * The sentences are constant.  The struct of a wrong member differs between commands, so it is
 * written in front of the sentence, in the part of the line that the kernel copies.
 *
 * If memory is short, nothing is written.
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
	if (command) {
		command[strcspn(command, "\n")] = '\0';
		log_error(tr, location, command, strlen(glob) + 1 + error->pos, error);
	}
	kfree(command);
}

/**
 * objtrace_errlog_file() - write the error of a filter file to the top instance's error_log
 * @file: name of the file
 * @text: text above the caret: the wrong pattern, or a text in its place; not empty
 * @error: the error, with its column in @text
 *
 * The filter files belong to all instances, so the error is in the top instance.
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
