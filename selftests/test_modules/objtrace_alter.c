// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_alter - let the running kernel look like another kernel
 *
 * objtrace reads a kernel's symbols and BTF, and refuses a kernel that it does not know.
 * This module changes both while the kernel runs.  One boot then tests many kernels.
 * Parameters, written at run time; an empty line reverts the change:
 *
 *   missing_symbol=NAME...	kallsyms_lookup_name() does not find these names.  The
 *			function also resolves register_kprobe()'s symbol names.
 *   btf_words=OFFSET OLD NEW[,OFFSET OLD NEW]...
 *			replace 32-bit words in the types of vmlinux' BTF.  All numbers
 *			are hexadecimal, OFFSET counts from the start of the BTF.
 *			scripts/alter-btf.py prints such lists.
 *   failing=FUNCTION VALUE [SKIP COUNT [POINTER]]
 *			After a module began to load, FUNCTION does nothing and returns the
 *			number VALUE.  SKIP and COUNT select calls from then on: SKIP calls
 *			pass, COUNT calls fail, and later calls pass.  With POINTER, a
 *			pointer of the kernel, only calls count whose first argument has the
 *			value of POINTER.
 *   directory=NAME	tracefs has an empty directory NAME.
 *   command=NAME	The kernel's trigger command NAME has the name objtrace.
 *
 * Unloading the module reverts all changes.  The code of the kernel does not change, so a
 * changed BTF describes it wrongly.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/tracefs.h>
#include <linux/vmalloc.h>

/* More than any change needs */
#define MAX_WORDS	64

static int replace_name(struct kprobe *kp, struct pt_regs *regs);

static struct kprobe lookup_probe = {
	.symbol_name	= "kallsyms_lookup_name",
	.pre_handler	= replace_name,
};

/* Static calls: with IBT an indirect call of these functions would fault */
DEFINE_STATIC_CALL_NULL(lookup, kallsyms_lookup_name);
DEFINE_STATIC_CALL_NULL(get_btf, bpf_get_btf_vmlinux);
DEFINE_STATIC_CALL_NULL(create_dir, tracefs_create_dir);
DEFINE_STATIC_CALL_NULL(remove_dir, tracefs_remove);

static struct dentry *directory;

/* Names with a space after each.  NULL: every symbol is found */
static char __rcu *missing_symbol;

static void *btf_start;		/* the header of the BTF, in read-only memory */
static u32 types_start;		/* offsets from btf_start */
static u32 types_end;

/**
 * struct word - a word of the BTF that was replaced
 * @offset: its place
 * @old: its first value
 */
struct word {
	u32	offset;
	u32	old;
};

static struct word words[MAX_WORDS];
static unsigned int nr_words;

/* Not before init is done, and not after exit; the caller holds the parameters' lock */
static bool is_ready(void)
{
	if (!btf_start)
		pr_err("parameters can be written only after the module is loaded\n");
	return btf_start;
}

static void set_first_argument(struct pt_regs *regs, const char *value)
{
#if defined(CONFIG_X86_64)
	regs->di = (unsigned long)value;
#elif defined(CONFIG_ARM64)
	regs->regs[0] = (unsigned long)value;
#else
#error "this architecture needs the register of its first argument"
#endif
}

static bool is_one_of(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (; *names; names = strchr(names, ' ') + 1)
		if (!strncmp(names, name, len) && names[len] == ' ')
			return true;
	return false;
}

/* No symbol has an empty name */
static int replace_name(struct kprobe *kp, struct pt_regs *regs)
{
	const char *name = (const char *)regs_get_kernel_argument(regs, 0);
	const char *missing = rcu_dereference_sched(missing_symbol);

	if (missing && is_one_of(missing, name))
		set_first_argument(regs, "");
	return 0;
}

static void replace_missing(char *name)
{
	char *old = rcu_dereference_protected(missing_symbol, true);

	rcu_assign_pointer(missing_symbol, name);
	synchronize_rcu();
	kfree(old);
}

/* Whether the kernel has all symbols of a list */
static bool has_symbols(const char *names)
{
	char name[KSYM_NAME_LEN];
	const char *end;

	for (; (end = strchr(names, ' ')); names = end + 1) {
		strscpy(name, names, min_t(size_t, end - names + 1, sizeof(name)));
		if (!static_call(lookup)(name)) {
			pr_err("this kernel has no symbol %s already\n", name);
			return false;
		}
	}
	return true;
}

static int set_missing_symbol(const char *val, const struct kernel_param *kp)
{
	size_t len = strcspn(val, "\n");
	char *names;

	if (!is_ready())
		return -EPERM;
	replace_missing(NULL);
	if (!len)
		return 0;
	names = kasprintf(GFP_KERNEL, "%.*s ", (int)len, val);
	if (!names)
		return -ENOMEM;
	if (!has_symbols(names)) {
		kfree(names);
		return -ENOENT;
	}
	replace_missing(names);
	return 0;
}

static u32 read_word(u32 offset)
{
	return READ_ONCE(*(u32 *)(btf_start + offset));
}

/* The kernel maps its BTF read-only: write through a second mapping */
static int write_word(u32 offset, u32 value)
{
	void *place = btf_start + offset;
	struct page *page = pfn_to_page(PHYS_PFN(__pa_symbol(place)));
	void *alias = vmap(&page, 1, VM_MAP, PAGE_KERNEL);

	if (!alias)
		return -ENOMEM;
	WRITE_ONCE(*(u32 *)(alias + offset_in_page(place)), value);
	vunmap(alias);
	if (read_word(offset) == value)
		return 0;
	pr_err("the word at %#x cannot be changed\n", offset);
	return -EIO;
}

static int restore_words(void)
{
	int ret;

	while (nr_words) {
		ret = write_word(words[nr_words - 1].offset, words[nr_words - 1].old);
		if (ret)
			return ret;
		nr_words--;
	}
	return 0;
}

static int replace_word(const char *text)
{
	u32 offset, old, new;
	char rest;
	int ret;

	if (sscanf(text, "%x %x %x %c", &offset, &old, &new, &rest) != 3) {
		pr_err("'%s' is not 'OFFSET OLD NEW'\n", text);
		return -EINVAL;
	}
	if (offset % sizeof(u32) || offset < types_start || offset >= types_end) {
		pr_err("%#x is not the offset of a word in a type: the types are %#x to %#x\n", offset,
		       types_start, types_end);
		return -EINVAL;
	}
	if (read_word(offset) != old) {
		pr_err("the word at %#x is %#x, not %#x\n", offset, read_word(offset), old);
		return -EINVAL;
	}
	if (nr_words == MAX_WORDS) {
		pr_err("more than %u words\n", MAX_WORDS);
		return -ENOSPC;
	}
	ret = write_word(offset, new);
	if (ret)
		return ret;
	words[nr_words].offset = offset;
	words[nr_words++].old = old;
	return 0;
}

static int set_btf_words(const char *val, const struct kernel_param *kp)
{
	char *copy, *rest, *text;
	int ret;

	if (!is_ready())
		return -EPERM;
	ret = restore_words();
	if (ret)
		return ret;
	copy = kstrdup(val, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	rest = strim(copy);
	if (!*rest)
		rest = NULL;
	while (!ret && (text = strsep(&rest, ",")))
		ret = replace_word(text);
	kfree(copy);
	/* All or nothing */
	return ret ? restore_words() ?: ret : 0;
}

/* Written while failing_probe is not registered, apart from the last two */
static struct {
	long		value;
	unsigned long	skip;
	unsigned long	count;		/* 0: all calls fail */
	unsigned long	argument;	/* 0: any */
	atomic_long_t	calls;		/* with @argument, since a load */
	bool		is_armed;	/* a module began to load */
} failing;

static struct kprobe failing_probe;
static char failing_name[KSYM_NAME_LEN];

/* Leaves the register of the return value as it is */
static noinline notrace void return_at_once(void)
{
	asm volatile("");
}

static int fail_call(struct kprobe *kp, struct pt_regs *regs)
{
	unsigned long call;

	if (!READ_ONCE(failing.is_armed))
		return 0;
	if (failing.argument && regs_get_kernel_argument(regs, 0) != failing.argument)
		return 0;
	call = atomic_long_fetch_inc(&failing.calls);
	if (failing.count && (call < failing.skip || call - failing.skip >= failing.count))
		return 0;
	regs_set_return_value(regs, failing.value);
	instruction_pointer_set(regs, (unsigned long)return_at_once);
	return 1;
}

static int restart_count(struct notifier_block *nb, unsigned long state, void *module)
{
	if (state == MODULE_STATE_COMING) {
		atomic_long_set(&failing.calls, 0);
		WRITE_ONCE(failing.is_armed, true);
	}
	return NOTIFY_OK;
}

/* Called before the kernel creates the module's events */
static struct notifier_block load_notifier = {
	.notifier_call	= restart_count,
	.priority	= INT_MAX,
};

static void stop_failing(void)
{
	if (failing_probe.pre_handler)
		unregister_kprobe(&failing_probe);
	memset(&failing_probe, 0, sizeof(failing_probe));
	memset(&failing, 0, sizeof(failing));
}

/*
 * A kprobe that was optimized to a jump cannot change where the task goes on.  One with a post
 * handler is not optimized; but this handler keeps a kprobe that is called by ftrace from it.
 */
static void after_call(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static int set_probe(kprobe_post_handler_t post_handler)
{
	memset(&failing_probe, 0, sizeof(failing_probe));
	failing_probe.symbol_name = failing_name;
	failing_probe.pre_handler = fail_call;
	failing_probe.post_handler = post_handler;
	return register_kprobe(&failing_probe);
}

static int start_failing(void)
{
	int ret = set_probe(NULL);

	if (!ret && !(failing_probe.flags & KPROBE_FLAG_FTRACE)) {
		unregister_kprobe(&failing_probe);
		ret = set_probe(after_call);
	}
	if (ret) {
		pr_err("no kprobe on '%s': %d\n", failing_name, ret);
		memset(&failing_probe, 0, sizeof(failing_probe));
	}
	return ret;
}

static int find_pointer(const char *name)
{
	const unsigned long *pointer = (void *)static_call(lookup)(name);

	if (!pointer) {
		pr_err("this kernel has no symbol %s\n", name);
		return -ENOENT;
	}
	failing.argument = *pointer;
	return 0;
}

static int set_failing(const char *val, const struct kernel_param *kp)
{
	char pointer[KSYM_NAME_LEN] = "";
	int nr;

	if (!is_ready())
		return -EPERM;
	stop_failing();
	if (!*skip_spaces(val))
		return 0;
	nr = sscanf(val, "%127s %ld %lu %lu %127s", failing_name, &failing.value,
		    &failing.skip, &failing.count, pointer);
	if (nr < 2 || nr == 3) {
		pr_err("'%s' is not 'FUNCTION VALUE [SKIP COUNT [POINTER]]'\n", failing_name);
		return -EINVAL;
	}
	if (nr == 5 && find_pointer(pointer))
		return -ENOENT;
	return start_failing();
}

static void *find_symbol(const char *name)
{
	unsigned long addr = static_call(lookup)(name);

	if (!addr)
		pr_err("this kernel has no symbol %s\n", name);
	return (void *)addr;
}

static void remove_directory(void)
{
	static_call(remove_dir)(directory);
	directory = NULL;
}

static int set_directory(const char *val, const struct kernel_param *kp)
{
	char name[NAME_MAX + 1];

	if (!is_ready())
		return -EPERM;
	remove_directory();
	strscpy(name, val, sizeof(name));
	if (!*strim(name))
		return 0;
	directory = static_call(create_dir)(strim(name), NULL);
	return directory ? 0 : -EEXIST;
}

static const struct kernel_param_ops directory_ops = { .set = set_directory };
module_param_cb(directory, &directory_ops, NULL, 0200);
MODULE_PARM_DESC(directory, "directory at the top of tracefs");

/* In each kernel, struct event_command begins with these members */
static struct named_command {
	struct list_head	list;
	const char		*name;
} *renamed;

static const char *real_name;

static void restore_name(void)
{
	if (renamed)
		WRITE_ONCE(renamed->name, real_name);
	renamed = NULL;
}

static int set_command(const char *val, const struct kernel_param *kp)
{
	struct named_command *command;
	struct list_head *commands;
	char name[16];

	if (!is_ready())
		return -EBUSY;
	restore_name();
	strscpy(name, val, sizeof(name));
	if (!*strim(name))
		return 0;
	commands = find_symbol("trigger_commands");
	if (!commands)
		return -EOPNOTSUPP;
	/* No module adds a command meanwhile */
	list_for_each_entry(command, commands, list) {
		if (strcmp(command->name, strim(name)))
			continue;
		real_name = command->name;
		renamed = command;
		WRITE_ONCE(command->name, "objtrace");
		return 0;
	}
	pr_err("this kernel has no trigger command %s\n", strim(name));
	return -EINVAL;
}

static const struct kernel_param_ops command_ops = { .set = set_command };
module_param_cb(command, &command_ops, NULL, 0200);
MODULE_PARM_DESC(command, "trigger command of the kernel that has the name objtrace");

static const struct kernel_param_ops missing_symbol_ops = { .set = set_missing_symbol };
module_param_cb(missing_symbol, &missing_symbol_ops, NULL, 0200);
MODULE_PARM_DESC(missing_symbol, "symbols that kallsyms_lookup_name() does not find");

static const struct kernel_param_ops btf_words_ops = { .set = set_btf_words };
module_param_cb(btf_words, &btf_words_ops, NULL, 0200);
MODULE_PARM_DESC(btf_words, "32-bit words of vmlinux' BTF to replace: OFFSET OLD NEW,...");

static const struct kernel_param_ops failing_ops = { .set = set_failing };
module_param_cb(failing, &failing_ops, NULL, 0200);
MODULE_PARM_DESC(failing, "function that fails: FUNCTION VALUE [SKIP COUNT [POINTER]]");

/* In the kernel's image, and so not a copy that the kernel made of its BTF */
static bool is_in_image(const void *start, const void *end)
{
	unsigned long text_end = static_call(lookup)("_etext");
	unsigned long init_start = static_call(lookup)("_sinittext");

	return text_end && (unsigned long)start >= text_end && end > start &&
	       (unsigned long)end <= init_start;
}

/* The header of a BTF can be shorter than the struct btf_header of its kernel */
static const struct btf_header *find_header(const struct btf_type *first)
{
	const struct btf_header *header;
	u32 len;

	for (len = offsetofend(struct btf_header, str_len); len <= sizeof(*header);
	     len += sizeof(u32)) {
		header = (void *)first - len;
		if (is_in_image(header, first) && header->magic == BTF_MAGIC &&
		    header->version == BTF_VERSION && header->hdr_len == len &&
		    !header->type_off &&
		    is_in_image(first, (void *)first + header->type_len))
			return header;
	}
	return NULL;
}

/* Not every kernel lists __start_BTF.  The first type follows the header. */
static int find_btf(void)
{
	const struct btf_header *header;
	const struct btf_type *first;
	struct btf *btf;

	btf = static_call(get_btf)();
	first = IS_ERR_OR_NULL(btf) ? NULL : btf_type_by_id(btf, 1);
	if (!first) {
		pr_err("this kernel has no BTF\n");
		return -EOPNOTSUPP;
	}
	header = find_header(first);
	if (!header) {
		pr_err("the header of this kernel's BTF is not where it is expected\n");
		return -EOPNOTSUPP;
	}
	btf_start = (void *)header;
	types_start = header->hdr_len;
	types_end = types_start + header->type_len;
	return 0;
}

static int find_functions(void)
{
	void *btf, *create, *remove;

	static_call_update(lookup, (void *)lookup_probe.addr);
	btf = find_symbol("bpf_get_btf_vmlinux");
	create = find_symbol("tracefs_create_dir");
	remove = find_symbol("tracefs_remove");
	if (!btf || !create || !remove)
		return -EOPNOTSUPP;
	static_call_update(get_btf, btf);
	static_call_update(create_dir, create);
	static_call_update(remove_dir, remove);
	return 0;
}

static int __init objtrace_alter_init(void)
{
	int ret = register_kprobe(&lookup_probe);

	if (ret) {
		pr_err("no kprobe on kallsyms_lookup_name: %d\n", ret);
		return ret;
	}
	ret = find_functions() ?: find_btf() ?: register_module_notifier(&load_notifier);
	if (ret)
		unregister_kprobe(&lookup_probe);
	return ret;
}

static void __exit objtrace_alter_exit(void)
{
	kernel_param_lock(THIS_MODULE);
	replace_missing(NULL);
	stop_failing();
	remove_directory();
	restore_name();
	/* Logs its own failure */
	restore_words();
	btf_start = NULL;
	kernel_param_unlock(THIS_MODULE);
	unregister_module_notifier(&load_notifier);
	unregister_kprobe(&lookup_probe);
}

module_init(objtrace_alter_init);
module_exit(objtrace_alter_exit);

MODULE_DESCRIPTION("Let the running kernel look like another kernel, for the objtrace selftests");
MODULE_AUTHOR("The objtrace maintainers");
MODULE_LICENSE("GPL");
