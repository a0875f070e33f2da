// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files objtrace/set_filter and objtrace/set_notrace in tracefs: users write patterns, and
 * read functions.
 *
 * A write() applies all patterns that it completes, or it fails and applies none.  A blank or a
 * newline completes a pattern, and so does close().  If the file is opened with O_TRUNC, the old
 * patterns stay until the first new pattern is applied, or until close().  An empty list in
 * between would trace every function.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "command/errlog.h"
#include "command/parse.h"
#include "files/filter_files.h"
#include "functions/filter.h"
#include "functions/groups.h"
#include "functions/patterns.h"
#include "kernel/ksyms.h"

/* Most bytes that one write() accepts; the caller writes the rest in the next write() */
#define WRITE_SIZE	OBJTRACE_PATTERNS_SIZE

/* Serializes writers.  Taken before the mutex of functions/groups.c */
static DEFINE_MUTEX(writers_mutex);

/**
 * struct opened - state of an open file
 * @which: the list of the file.  Constant
 * @replaces: the next patterns replace the list
 * @has_failed: a write failed, and no later write had text for the list.  close() then leaves the
 *		list unchanged.
 * @nr_begun: length of @begun in bytes
 * @begun: pattern whose end is not written yet
 * @wrong: pattern that is being refused
 *
 * Under writers_mutex.
 */
struct opened {
	enum objtrace_filter	which;
	bool			replaces;
	bool			has_failed;
	size_t			nr_begun;
	char			begun[OBJTRACE_PATTERN_LEN];
	char			wrong[OBJTRACE_PATTERN_LEN];
};

static struct opened *opened_of(struct file *file)
{
	struct seq_file *m = file->private_data;

	return m->private;
}

/*
 * Writing
 */

static bool is_separator(char c)
{
	return !c || strchr(" \t\n\v\f\r", c);
}

/* Return the next pattern of a text, or NULL.  Writes a NUL after the pattern, maybe at @end */
static char *next_pattern(char **text, const char *end)
{
	char *pattern;

	while (*text < end && is_separator(**text))
		(*text)++;
	if (*text == end)
		return NULL;
	pattern = *text;
	while (*text < end && !is_separator(**text))
		(*text)++;
	**text = '\0';
	return pattern;
}

/* Add each pattern of a text to @patterns.  On an error, @o->wrong is the wrong pattern. */
static int add_patterns(struct opened *o, struct objtrace_patterns *patterns, char *text,
			const char *end, struct objtrace_error *error)
{
	char *pattern;
	int ret = 0;

	while (!ret && (pattern = next_pattern(&text, end))) {
		ret = objtrace_patterns_add(patterns, pattern, error);
		if (ret)
			scnprintf(o->wrong, sizeof(o->wrong), "%s", pattern);
		/* objtrace_patterns_add() compares a pattern with the whole list */
		cond_resched();
	}
	return ret;
}

/* Make @*patterns the list; then @*patterns is the old list */
static int set_list(struct opened *o, struct objtrace_patterns **patterns,
		    struct objtrace_error *error)
{
	const struct objtrace_pattern *missing;
	int ret = objtrace_groups_filter(o->which, patterns);

	if (!ret)
		return 0;
	if (ret == -ENOMEM)
		return objtrace_error_set(error, OBJTRACE_ERR_NO_MEMORY, 0);
	missing = ret == -ENOENT ? objtrace_patterns_missing(*patterns) : NULL;
	if (!missing)
		return objtrace_error_set(error, OBJTRACE_ERR_FTRACE_DEAD, 0);
	objtrace_pattern_print(missing, o->wrong, sizeof(o->wrong));
	return objtrace_error_set(error, OBJTRACE_ERR_NO_FUNCTION, missing->takes);
}

/* error_log needs a text above its caret: the shell's ">" if the user tried to empty the list */
#define EMPTY_LIST	">"

/* Log an error.  If no pattern is wrong, error_log shows the first pattern. */
static void log_failure(struct opened *o, char *text, const char *end,
			const struct objtrace_error *error)
{
	if (!o->wrong[0])
		scnprintf(o->wrong, sizeof(o->wrong), "%s",
			  next_pattern(&text, end) ?: EMPTY_LIST);
	objtrace_errlog_file(objtrace_filter_name(o->which), o->wrong, error);
}

/* Add all patterns of a text to the list; or add none, and log the error */
static int put_in_list(struct opened *o, char *text, const char *end)
{
	struct objtrace_patterns *patterns;
	struct objtrace_error error;
	int ret;

	o->wrong[0] = '\0';
	patterns = objtrace_patterns_new(o->replaces ? NULL :
						       objtrace_filter_list(o->which));
	if (patterns)
		ret = add_patterns(o, patterns, text, end, &error);
	else
		ret = objtrace_error_set(&error, OBJTRACE_ERR_NO_MEMORY, 0);
	if (!ret)
		ret = set_list(o, &patterns, &error);
	objtrace_patterns_free(patterns);
	if (ret)
		log_failure(o, text, end, &error);
	else
		o->replaces = false;
	o->has_failed = ret;
	return ret;
}

static bool has_pattern(const char *text, const char *end)
{
	while (text < end && is_separator(*text))
		text++;
	return text < end;
}

/* Apply the complete patterns of a text; keep an incomplete pattern for the next write */
static int write_text(struct opened *o, char *text, char *end)
{
	char *begun = end;
	int ret = 0;

	while (begun > text && !is_separator(begun[-1]))
		begun--;
	/* Too long for a pattern: put_in_list() refuses it */
	if (end - begun >= sizeof(o->begun))
		begun = end;
	o->nr_begun = 0;
	if (has_pattern(text, begun))
		ret = put_in_list(o, text, begun);
	if (ret)
		return ret;
	o->nr_begun = end - begun;
	memcpy(o->begun, begun, o->nr_begun);
	if (o->nr_begun)
		o->has_failed = false;
	return 0;
}

/* Copy the text, with room for an incomplete pattern before the copy and for a NUL after it */
static char *copy_text(const char __user *from, size_t size)
{
	char *buf = kvmalloc(OBJTRACE_PATTERN_LEN + size + 1, GFP_KERNEL);

	if (!buf)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(buf + OBJTRACE_PATTERN_LEN, from, size)) {
		kvfree(buf);
		return ERR_PTR(-EFAULT);
	}
	return buf;
}

static ssize_t filter_write(struct file *file, const char __user *from, size_t size,
			    loff_t *pos)
{
	struct opened *o = opened_of(file);
	char *buf, *text, *begin;
	int ret;

	size = min_t(size_t, size, WRITE_SIZE);
	/* Copy without the mutex: a page fault can take long */
	buf = copy_text(from, size);
	mutex_lock(&writers_mutex);
	if (IS_ERR(buf)) {
		ret = PTR_ERR(buf);
		o->has_failed = true;
	} else {
		text = buf + OBJTRACE_PATTERN_LEN;
		begin = text - o->nr_begun;
		memcpy(begin, o->begun, o->nr_begun);
		ret = write_text(o, begin, text + size);
		kvfree(buf);
	}
	mutex_unlock(&writers_mutex);
	return ret ?: size;
}

/* If this fails, only error_log reports it: close() has no errno for it */
static void finish_writing(struct opened *o)
{
	mutex_lock(&writers_mutex);
	if (!o->has_failed && (o->nr_begun || o->replaces))
		put_in_list(o, o->begun, o->begun + o->nr_begun);
	mutex_unlock(&writers_mutex);
}

/*
 * Opening and reading
 */

static int filter_show(struct seq_file *m, void *unused)
{
	struct opened *o = m->private;

	objtrace_groups_show_filter(m, o->which);
	return 0;
}

/* Writes ignore the position.  A program that appends seeks to the end: accept the seek */
static loff_t filter_lseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	return noop_llseek(file, offset, whence);
}

static int filter_release(struct inode *inode, struct file *file)
{
	struct opened *o = opened_of(file);

	finish_writing(o);
	kfree(o);
	return single_release(inode, file);
}

const struct file_operations objtrace_filter_files_fops = {
	.owner		= THIS_MODULE,
	.read		= seq_read,
	.write		= filter_write,
	.llseek		= filter_lseek,
	.release	= filter_release,
};

/*
 * The command "> set_filter" of a shell empties the list at close().  close() returns no error, so
 * check at open().
 */
static int check_replacing(enum objtrace_filter which)
{
	struct objtrace_error error;
	int ret;

	if (!ksym(ftrace_is_dead)())
		return 0;
	ret = objtrace_error_set(&error, OBJTRACE_ERR_FTRACE_DEAD, 0);
	objtrace_errlog_file(objtrace_filter_name(which), EMPTY_LIST, &error);
	return ret;
}

/**
 * objtrace_filter_files_open() - allocate the state of a file that is being opened
 * @file: the file, with objtrace_filter_files_fops
 * @which: the list of the file
 *
 * Context: task.
 * Return: 0; -ENOMEM; -ENODEV, with an entry in error_log, if the list is to be replaced
 * and ftrace is dead
 */
int objtrace_filter_files_open(struct file *file, enum objtrace_filter which)
{
	bool replaces = file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC;
	struct opened *o;
	int ret;

	ret = replaces ? check_replacing(which) : 0;
	if (ret)
		return ret;
	o = kzalloc(sizeof(*o), GFP_KERNEL);
	if (!o)
		return -ENOMEM;
	o->which = which;
	o->replaces = replaces;
	ret = single_open(file, filter_show, o);
	if (ret)
		kfree(o);
	return ret;
}
