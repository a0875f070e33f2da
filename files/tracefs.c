// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files in the directory objtrace of tracefs, and how they are opened.
 *
 * tracefs holds no module reference for its files.  A task that opens a file first reads the
 * inode's file_operations, may sleep, and then calls open().  A task with an O_PATH descriptor or
 * a bind mount can open a file long after its removal.
 *
 * So the inodes have file_operations that outlive the module, called the entrance.  Their memory
 * is never freed: about 300 bytes for each load of the module.  They only have open().  While
 * the module is loaded, open() is enter_file(): it takes a module reference and installs the
 * real file_operations.  The kernel drops the reference when the file is closed.  Before and
 * afterwards, open() is a function of the kernel, and the open file cannot be read.
 *
 * Why no task is in this code when the module is freed:
 *
 *  - An open file holds a module reference: rmmod reports that the module is in use.
 *  - If a task opens a file during rmmod, enter_file() gets no module reference, and fails.  The
 *    task does not sleep from the kernel's read of the pointer to open() until the return of
 *    enter_file().  So synchronize_rcu_tasks() waits for the task.
 *  - If a task opens a file later, the entrance calls the function of the kernel.
 *
 * The inode may live for any time: it only has a pointer to the entrance.
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

/* The position in the file is 0 for the head, else the number of a slot plus 1 */
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

/* Enough for about 20 triggers; if it is too small, seq_file allocates more and prints again */
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

/*
 * The kernel only calls the open() of the entrance.  So the file_operations in files[] have no
 * open(), and enter_file() calls this function.
 */
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

	/* rmmod has begun, and waits until this task returns: see above.  Do not sleep here */
	if (!fops)
		return -ENODEV;
	replace_fops(file, fops);
	/* The kernel can be locked down at any time, so its own files check at open(), too */
	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (ret)
		return ret;
	return open_kind(kind, file);
}

static const struct file_operations *entrance;
static struct dentry *directory;

/* Set open() of the entrance, its only member that changes */
static void lead_entrance_to(int (*open)(struct inode *inode, struct file *file))
{
	/* Pairs with try_module_get() in enter_file(), which then sees all earlier writes */
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
 * Find out why tracefs_create_dir() failed, which returns no errno: the name exists, or memory
 * is short.  A file of tracefs has a dentry as long as the file exists.
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
 * objtrace_tracefs_init() - create the directory and its files
 *
 * Works without a mounted tracefs, too.
 *
 * Context: task, module init, when everything that the files show is ready.
 * Return: 0; -ENOMEM; -EPERM or -EBUSY after one line that names the obstacle
 */
int objtrace_tracefs_init(void)
{
	int ret = -ENOMEM;

	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_err("kernel lockdown closes tracefs: boot without lockdown=confidentiality\n");
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
		pr_err("the directory objtrace already exists in tracefs: unload the module that created the directory\n");
		ret = -EBUSY;
	}
	objtrace_tracefs_exit();
	return ret;
}

/**
 * objtrace_tracefs_start() - make the files readable
 *
 * A file that is opened before has no operations of the module.  So module init can fail until
 * here, and the open file does no harm.
 *
 * Context: task, module init, last.
 */
void objtrace_tracefs_start(void)
{
	lead_entrance_to(enter_file);
}

/**
 * objtrace_tracefs_exit() - remove the directory and its files
 *
 * No file with operations of the module is open.  Waits until no task is in enter_file(): usually
 * a tenth of a second, more if a task is busy in the kernel.
 *
 * Context: task, module exit, first; or module init that fails.
 */
void objtrace_tracefs_exit(void)
{
	lead_entrance_to(nonseekable_open);
	ksym(tracefs_remove)(directory);
	synchronize_rcu_tasks();
}
