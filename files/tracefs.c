// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files in the directory objtrace of tracefs, and how they are opened.
 *
 * tracefs keeps no module for its files.  Who opens one has taken the file's operations
 * from its inode some time before they are called, and may have slept in between; who
 * has an O_PATH descriptor, or the file mounted somewhere, can open it long after it was
 * removed.  So there is an entrance that outlives the module: operations in memory that
 * is never freed, about 300 bytes for each time the module is loaded.  All that they have
 * is open().  As long as the module is there that is ours: it takes a reference to the
 * module, and gives the file the operations that it really has, whose owner the module
 * is: the kernel drops that reference when the file is closed.  Before and afterwards it
 * is one of the kernel's own, and leads to a file that cannot be read.
 *
 * How readers are waited for:
 *
 *  - Who has a file open holds the module, reading or not: rmmod fails, and says that
 *    the module is in use.
 *  - Who comes through the entrance while the module goes is turned away: there are no
 *    more references to it.  On the way in and out again nobody sleeps, so when every
 *    task has slept or was in user space, all of them are out.
 *  - Who comes later finds the kernel's own function behind the entrance.
 *
 * What the kernel does with the inode meanwhile does not matter: it leads nowhere else.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/trace_seq.h>

#include "files/filter_files.h"
#include "files/stats.h"
#include "files/tracefs.h"
#include "functions/filter.h"
#include "kernel/ksyms.h"
#include "objects/table.h"

/* At the top of tracefs */
#define DIRECTORY	"objtrace"

static const char objects_head[] =
	"# id\tobject\ttrigger\tinstance\tage\thits\tfunction\tvalue\n";

/* What the position in the file is: 0 for the head, else a slot plus 1 */
static void *find_object(loff_t *pos)
{
	for (; *pos <= (loff_t)objtrace_table.slot_mask + 1; ++*pos) {
		if (!*pos || objtrace_table_is_live(*pos - 1))
			return pos;
		if (!(*pos % OBJTRACE_SLOTS_PER_SCAN))
			cond_resched();
	}
	return NULL;
}

static void *objects_start(struct seq_file *m, loff_t *pos)
{
	return find_object(pos);
}

static void *objects_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return find_object(pos);
}

static void objects_stop(struct seq_file *m, void *v)
{
}

static int objects_show(struct seq_file *m, void *v)
{
	loff_t pos = *(loff_t *)v;

	if (pos)
		objtrace_stats_show_object(m, m->private, pos - 1);
	else
		seq_puts(m, objects_head);
	return 0;
}

static const struct seq_operations objects_ops = {
	.start	= objects_start,
	.next	= objects_next,
	.stop	= objects_stop,
	.show	= objects_show,
};

static const struct file_operations objects_fops = {
	.owner		= THIS_MODULE,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release_private,
};

static const struct file_operations stats_fops = {
	.owner		= THIS_MODULE,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* As much as about 20 triggers take; more is printed a second time, with more memory */
#define STATS_SIZE	32768

static const struct file_kind {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
	enum objtrace_filter		filter;
} files[] = {
	{ "stats",	 0400, &stats_fops },
	{ "objects",	 0400, &objects_fops },
	{ "set_filter",	 0600, &objtrace_filter_files_fops, OBJTRACE_SET_FILTER },
	{ "set_notrace", 0600, &objtrace_filter_files_fops, OBJTRACE_SET_NOTRACE },
};

/* What the operations in files[] do not: nothing here is called through a pointer */
static int open_kind(const struct file_kind *kind, struct file *file)
{
	if (kind->fops == &stats_fops)
		return single_open_size(file, objtrace_stats_show, NULL, STATS_SIZE);
	if (kind->fops == &objects_fops)
		return seq_open_private(file, &objects_ops, sizeof(struct trace_seq));
	return objtrace_filter_files_open(file, kind->filter);
}

static int enter_file(struct inode *inode, struct file *file)
{
	const struct file_kind *kind = inode->i_private;
	const struct file_operations *fops = fops_get(kind->fops);
	int ret;

	/* The module goes: nothing has slept up to here, and nothing will */
	if (!fops)
		return -ENODEV;
	replace_fops(file, fops);
	/* As the kernel's own files: it can be locked down at any time */
	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (ret)
		return ret;
	return open_kind(kind, file);
}

static const struct file_operations *entrance;
static struct dentry *directory;

/* What the entrance leads to; for all others it is constant */
static void lead_entrance_to(int (*open)(struct inode *inode, struct file *file))
{
	/* Pairs with try_module_get() for who opens a file: all written before is there */
	smp_store_release((typeof(open) *)&entrance->open, open);
}

static bool create_files(void)
{
	const struct file_kind *kind;

	for (kind = files; kind < files + ARRAY_SIZE(files); kind++)
		if (IS_ERR_OR_NULL(ksym(tracefs_create_file)(kind->name, kind->mode, directory,
							     (void *)kind, entrance)))
			return false;
	return true;
}

static void look_for_directory(struct super_block *sb, void *found)
{
	struct qstr name = { .name = (const unsigned char *)DIRECTORY, .len = strlen(DIRECTORY) };
	struct dentry *dentry;

	name.hash = full_name_hash(sb->s_root, DIRECTORY, name.len);
	dentry = d_lookup(sb->s_root, &name);
	if (!dentry)
		return;
	*(bool *)found = d_is_positive(dentry);
	dput(dentry);
}

/*
 * tracefs_create_dir() returns no errno: the name is taken, or memory is short.  Each file of
 * tracefs has a dentry as long as the file exists.
 */
static bool directory_exists(void)
{
	struct file_system_type *tracefs = get_fs_type("tracefs");
	bool found = false;

	if (!tracefs)
		return false;
	iterate_supers_type(tracefs, look_for_directory, &found);
	module_put(tracefs->owner);
	return found;
}

/**
 * objtrace_tracefs_init() - create the files
 *
 * tracefs need not be mounted.
 *
 * Context: task, module init, when all that they show is ready.
 * Return: 0; -ENOMEM; -EPERM or -EBUSY after one line that names the obstacle
 */
int objtrace_tracefs_init(void)
{
	int ret = -ENOMEM;

	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_err("the kernel is locked down, and keeps tracefs closed: boot without lockdown=confidentiality\n");
		return -EPERM;
	}
	entrance = kzalloc(sizeof(*entrance), GFP_KERNEL);
	if (!entrance)
		return -ENOMEM;
	kmemleak_not_leak(entrance);
	lead_entrance_to(nonseekable_open);
	directory = ksym(tracefs_create_dir)(DIRECTORY, NULL);
	if (!IS_ERR_OR_NULL(directory)) {
		if (create_files())
			return 0;
	} else if (directory_exists()) {
		pr_err("tracefs has a directory objtrace already: unload the module that has it\n");
		ret = -EBUSY;
	}
	objtrace_tracefs_exit();
	return ret;
}

/**
 * objtrace_tracefs_start() - let the files be read
 *
 * Before that they can be opened, and nothing more: if the module cannot be loaded after
 * all, it is gone whether somebody reads them or not.
 *
 * Context: task, module init, last.
 */
void objtrace_tracefs_start(void)
{
	lead_entrance_to(enter_file);
}

/**
 * objtrace_tracefs_exit() - remove the files
 *
 * None is open.  Waits for who may be on the way into enter_file() or out of it: usually a
 * tenth of a second, more if a task is busy in the kernel.
 *
 * Context: task, module exit, first; or module init that fails.
 */
void objtrace_tracefs_exit(void)
{
	lead_entrance_to(nonseekable_open);
	ksym(tracefs_remove)(directory);
	synchronize_rcu_tasks();
}
