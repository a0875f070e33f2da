// SPDX-License-Identifier: GPL-2.0-only
/*
 * Look up the unexported symbols of objtrace_symbols.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "kernel/adrp.h"
#include "kernel/ksyms.h"

#ifdef CONFIG_ARM64
/* ksym() calls this for each OBJTRACE_MAYBE function that the kernel lacks */
static long return_0(void)
{
	return 0;
}

#define OBJTRACE_FUNC(ret, name, args)	\
	unsigned long objtrace_##name##_addr __ro_after_init;
#define OBJTRACE_MAYBE(ret, name, args)	\
	unsigned long objtrace_##name##_addr __ro_after_init = (unsigned long)return_0;
#define set_func(func, addr)	(func##_addr = (addr))
#else
#define OBJTRACE_FUNC(ret, name, args)	\
	DEFINE_STATIC_CALL_NULL(objtrace_##name, objtrace_##name##_fn);
#define OBJTRACE_MAYBE(ret, name, args)	\
	DEFINE_STATIC_CALL_RET0(objtrace_##name, objtrace_##name##_fn);
#define set_func(func, addr)	static_call_update(func, (func##_fn *)(addr))
#endif
#define OBJTRACE_ADDR(name) unsigned long objtrace_addr_##name;
#define OBJTRACE_MAYBE_ADDR(name) OBJTRACE_ADDR(name)
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC

/* Parse "name+0xOFF/0xSIZE", which sprint_symbol() prints for a text address */
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
 * A disabled kprobe finds any function by its name.  On x86 with IBT the kprobe's address is
 * after the ENDBR, so the offset in the symbol is subtracted.
 */
static int find_kallsyms_lookup_name(unsigned long *found)
{
	/* struct kprobe of this kernel can be larger: its size is not checked yet */
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
	pr_err("kallsyms_lookup_name cannot be found with a kprobe: objtrace does not support this kernel\n");
	return -EOPNOTSUPP;
}

static unsigned long resolve_symbol(const char *name)
{
	unsigned long addr = ksym(kallsyms_lookup_name)(name);

	if (!addr)
		pr_err("this kernel has no symbol %s: objtrace does not support this kernel\n", name);
	return addr;
}

/*
 * On arm64, ksym() branches to the function by a register, so the function needs a landing pad.
 * Compilers can omit the landing pad of a static function that has direct calls only.
 */
static bool may_call(const char *name, unsigned long addr)
{
	if (!IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) ||
	    objtrace_is_landing_pad(le32_to_cpu(*(const __le32 *)addr)))
		return true;
	pr_err("this kernel's %s() has no landing pad (CONFIG_ARM64_BTI_KERNEL): objtrace cannot call it\n",
	       name);
	return false;
}

/**
 * objtrace_ksyms_size() - look up the length of a function
 * @addr: address of the function
 *
 * Context: task.
 * Return: length in bytes; 0 if unknown
 */
unsigned long objtrace_ksyms_size(unsigned long addr)
{
	unsigned long offset, size;

	return symbol_extent(addr, &offset, &size) ? size : 0;
}

/**
 * objtrace_ksyms_init() - look up all symbols of objtrace_symbols.h
 *
 * ksym() can be used after objtrace_btf_init() has checked the prototypes.
 *
 * Context: task, module init.
 * Return: 0; -ENOMEM; -EOPNOTSUPP after one line that names a missing symbol, or a function
 * that cannot be called
 */
int objtrace_ksyms_init(void)
{
	unsigned long addr;
	int ret = find_kallsyms_lookup_name(&addr);

	if (ret)
		return ret;
	if (!may_call("kallsyms_lookup_name", addr))
		return -EOPNOTSUPP;
	set_func(objtrace_kallsyms_lookup_name, addr);

#define OBJTRACE_FUNC(ret, name, args)					\
	addr = resolve_symbol(#name);					\
	if (!addr || !may_call(#name, addr))				\
		return -EOPNOTSUPP;					\
	set_func(objtrace_##name, addr);
#define OBJTRACE_MAYBE(ret, name, args)					\
	addr = ksym(kallsyms_lookup_name)(#name);			\
	if (addr && !may_call(#name, addr))				\
		return -EOPNOTSUPP;					\
	if (addr)							\
		set_func(objtrace_##name, addr);
#define OBJTRACE_ADDR(name)						\
	objtrace_addr_##name = resolve_symbol(#name);			\
	if (!objtrace_addr_##name)					\
		return -EOPNOTSUPP;
#define OBJTRACE_MAYBE_ADDR(name)					\
	objtrace_addr_##name = ksym(kallsyms_lookup_name)(#name);
#include "objtrace_symbols.h"
#undef OBJTRACE_ADDR
#undef OBJTRACE_FUNC
	return 0;
}
