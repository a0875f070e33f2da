// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unexported symbols, see objtrace_symbols.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "objtrace_btf.h"
#include "objtrace_ksyms.h"

#define OBJTRACE_FUNC(ret, name, args)	\
	DEFINE_STATIC_CALL_NULL(objtrace_##name, objtrace_##name##_fn);
#define OBJTRACE_MAYBE(ret, name, args)	\
	DEFINE_STATIC_CALL_RET0(objtrace_##name, objtrace_##name##_fn);
#define OBJTRACE_ADDR(name) unsigned long objtrace_addr_##name;
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC

/* "name+0xOFF/0xSIZE", which sprint_symbol() prints for any text address */
static bool symbol_extent(unsigned long addr, unsigned long *offset,
			  unsigned long *size)
{
	char name[KSYM_SYMBOL_LEN];
	char *plus;

	sprint_symbol(name, addr);
	plus = strrchr(name, '+');
	return plus && sscanf(plus, "+0x%lx/0x%lx", offset, size) == 2;
}

/*
 * A kprobe that is never armed finds any function by its name.  On x86 with IBT
 * it points behind the ENDBR, so its address is taken back to the symbol's start.
 */
static int find_kallsyms_lookup_name(unsigned long *found)
{
	/* Room to grow: what size it has in this kernel is not known yet */
	union {
		struct kprobe	kp;
		char		room[2 * sizeof(struct kprobe)];
	} probe = { .kp = {
		.symbol_name	= "kallsyms_lookup_name",
		.flags		= KPROBE_FLAG_DISABLED,
	} };
	unsigned long offset, size;
	int ret = register_kprobe(&probe.kp);

	*found = 0;
	if (!ret) {
		if (symbol_extent((unsigned long)probe.kp.addr, &offset, &size))
			*found = (unsigned long)probe.kp.addr - offset;
		unregister_kprobe(&probe.kp);
	}
	if (*found || ret == -ENOMEM)
		return ret;
	pr_err("kallsyms_lookup_name cannot be found with a kprobe: objtrace does not know this kernel\n");
	return -EOPNOTSUPP;
}

static unsigned long resolve(const char *name)
{
	unsigned long addr = ksym(kallsyms_lookup_name)(name);

	if (!addr)
		pr_err("this kernel has no symbol %s: objtrace does not know it\n", name);
	return addr;
}

/**
 * objtrace_ksyms_size() - how long the function at an address is
 * @addr: start of the function
 *
 * Context: task.
 * Return: bytes, 0 if unknown
 */
unsigned long objtrace_ksyms_size(unsigned long addr)
{
	unsigned long offset, size;

	return symbol_extent(addr, &offset, &size) ? size : 0;
}

/**
 * objtrace_ksyms_init() - find all symbols of objtrace_symbols.h
 *
 * Afterwards ksym() may be used, once objtrace_btf_init() has checked the
 * prototypes.
 *
 * Context: task, module init.
 * Return: 0; -ENOMEM; -EOPNOTSUPP after one line that names the missing symbol
 */
int objtrace_ksyms_init(void)
{
	unsigned long addr;
	int ret = find_kallsyms_lookup_name(&addr);

	if (ret)
		return ret;
	static_call_update(objtrace_kallsyms_lookup_name, (void *)addr);

#define OBJTRACE_FUNC(ret, name, args)					\
	addr = resolve(#name);						\
	if (!addr)							\
		return -EOPNOTSUPP;					\
	static_call_update(objtrace_##name, (objtrace_##name##_fn *)addr);
#define OBJTRACE_MAYBE(ret, name, args)					\
	addr = ksym(kallsyms_lookup_name)(#name);			\
	if (addr)							\
		static_call_update(objtrace_##name, (objtrace_##name##_fn *)addr);
#define OBJTRACE_ADDR(name)						\
	objtrace_addr_##name = resolve(#name);				\
	if (!objtrace_addr_##name)					\
		return -EOPNOTSUPP;
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC
	return 0;
}

/**
 * objtrace_ksyms_walk() - look at all symbols of the kernel
 * @fn: called for each, until it returns something else than 0
 * @older_fn: the same for older kernels, which also tell the symbol's module: NULL
 *	      for those of the kernel itself
 * @data: for @fn
 *
 * Context: task, after objtrace_btf_init().
 */
void objtrace_ksyms_walk(int (*fn)(void *data, const char *name, unsigned long addr),
			 int (*older_fn)(void *data, const char *name,
					 struct module *module, unsigned long addr),
			 void *data)
{
	if (objtrace_btf_is_older("kallsyms_on_each_symbol"))
		fn = (void *)older_fn;
	ksym(kallsyms_on_each_symbol)(fn, data);
}
