// SPDX-License-Identifier: GPL-2.0-only
/*
 * The search for the table of a function, while modules come and go.  The test includes the
 * source, so that it can make the tables itself, and replace the kernel's functions.
 */
#include <assert.h>

/* The source reads members of these structs that have other types than in linux/public.h */
#define _UNIT_PUBLIC_H

#include <linux/kernel.h>

#include "tap.h"

struct btf;
struct btf_type;

struct elf64_sym {
	u32	st_name;
	u8	st_info;
	u64	st_value;
};

#define Elf_Sym	struct elf64_sym

struct mod_kallsyms {
	Elf_Sym		*symtab;
	unsigned int	num_symtab;
	char		*strtab;
};

struct module {
	struct list_head	list;
	int			state;
	struct mod_kallsyms	*kallsyms;
	struct mod_kallsyms	core_kallsyms;
};

/* One thread: no reader needs the old struct after its replacement */
#define __GFP_NOFAIL			0
#define rcu_dereference_sched(p)	READ_ONCE(p)
#define kvfree_rcu(p, head)		kvfree(p)
#define synchronize_rcu()		do { } while (0)

/*
 * For the functions that read BTF and symbols.  The test makes the tables itself.  If it calls these
 * functions, memory is short.
 */
#define _OBJTRACE_COMPAT_H
#define _OBJTRACE_WATCH_KERNEL_H
#define OBJTRACE_ABI			OBJTRACE_ABI_X86_64
#define OBJTRACE_LOCATION_SPAN		4
#define NSEC_PER_USEC			1000
#define STT_FUNC			2
#define ELF_ST_TYPE(info)		(info)
#define MODULE_STATE_LIVE		0
#define THIS_MODULE			((struct module *)NULL)
#define __same_type(a, b)		true
#define ktime_get_ns()			0
#define list_next_rcu(node)		((node)->next)
#define preempt_disable()		do { } while (0)
#define preempt_enable()		do { } while (0)
#define strstarts(text, start)		(!strncmp(text, start, strlen(start)))
#define within_module(addr, module)	false
#define within_module_init(addr, module)	false
#define btf_type_by_id(btf, id)		((const struct btf_type *)NULL)
#define objtrace_watchpoint_handles(name)	false

#include "functions/known.c"

unsigned long objtrace_addr__stext, objtrace_addr__etext;
unsigned long objtrace_addr__sinittext, objtrace_addr__einittext;

unsigned long objtrace_ftrace_location_range(unsigned long start, unsigned long end)
{
	return 0;
}

int objtrace_kallsyms_on_each_symbol(int (*fn)(void *data, const char *name, unsigned long addr),
				     void *data)
{
	return 0;
}

struct btf *objtrace_bpf_get_btf_vmlinux(void)
{
	return NULL;
}

struct btf *objtrace_btf_get_module_btf(const struct module *module)
{
	return NULL;
}

void objtrace_btf_put(struct btf *btf)
{
}

struct module *objtrace___module_address(unsigned long addr)
{
	return NULL;
}

bool objtrace_btf_is_older(const char *name)
{
	return false;
}

int objtrace_names_init(struct objtrace_names *names, const struct btf *btf, u32 first_id,
			enum objtrace_abi abi)
{
	return -ENOMEM;
}

void objtrace_names_symbol(struct objtrace_names *names, const char *symbol, unsigned long addr,
			   unsigned long ip)
{
}

struct objtrace_funcs *objtrace_names_build(const struct objtrace_names *names)
{
	return NULL;
}

void objtrace_names_exit(struct objtrace_names *names)
{
}

/* Distance between the two functions of a table: both are in its first block */
#define DISTANCE	0x100

enum { KERNEL, LOW, MIDDLE, HIGH, NR_PARTS };

static const struct {
	const char	*name;
	unsigned long	start;
} parts[NR_PARTS] = {
	[KERNEL] = { "the kernel", 0xffffffff81000000UL },
	[LOW]	 = { "the low module", 0xffffffffc0000000UL },
	[MIDDLE] = { "the middle module", 0xffffffffc0010000UL },
	[HIGH]	 = { "the high module", 0xffffffffc0020000UL },
};

static struct module modules[NR_PARTS];
static const struct objtrace_funcs *tables[NR_PARTS];

static const struct module *module_at(unsigned int n)
{
	return n == KERNEL ? NULL : &modules[n];
}

static struct objtrace_funcs *make_table(unsigned long start)
{
	static const u32 first[] = { 0 };
	struct objtrace_funcs *funcs = kvzalloc(struct_size(funcs, func, 2), GFP_KERNEL);

	funcs->start = start;
	funcs->span = DISTANCE + 1;
	funcs->first = first;
	funcs->nr = 2;
	funcs->func[1].offset = DISTANCE;
	return funcs;
}

static void add_part(unsigned int n)
{
	struct part part = {
		.end = parts[n].start + DISTANCE + 1, .module = module_at(n),
		.funcs = make_table(parts[n].start),
	};
	struct known *old = known;

	tables[n] = part.funcs;
	known = with_part(old, &part);
	kvfree(old);
}

/* Both functions of a part are found in @funcs; with NULL, in no table */
static bool finds_in(const struct objtrace_funcs *funcs, unsigned long start)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (objtrace_known_find(start + i * DISTANCE) != (funcs ? &funcs->func[i] : NULL) ||
		    objtrace_known_table(start + i * DISTANCE) != funcs)
			return false;
	return true;
}

static void test_parts(const char *when)
{
	unsigned int n;

	for (n = 0; n < NR_PARTS; n++)
		ok(finds_in(tables[n], parts[n].start), "%s, functions of %s %s", when, parts[n].name,
		   tables[n] ? "have its table" : "have no table");
}

static void test_no_memory(void)
{
	ok(objtrace_known_add(module_at(MIDDLE), false) == ERR_PTR(-ENOMEM),
	   "without memory, a module without a table is an error");
	ok(!objtrace_known_add(module_at(LOW), false), "a module with a table needs no memory");
}

static void test_gaps(void)
{
	ok(finds_in(NULL, parts[LOW].start - 2 * DISTANCE), "below the modules is no table");
	ok(finds_in(NULL, parts[LOW].start + 2 * DISTANCE), "between modules is no table");
	ok(finds_in(NULL, parts[HIGH].start + 2 * DISTANCE), "above the modules is no table");
	ok(finds_in(NULL, parts[LOW].start + 4), "between functions of a module is no table");
}

int main(void)
{
	add_part(KERNEL);
	add_part(HIGH);
	add_part(LOW);
	add_part(MIDDLE);
	test_parts("with all modules");
	test_gaps();
	objtrace_known_drop(module_at(MIDDLE), false);
	tables[MIDDLE] = NULL;
	test_parts("without the middle module");
	test_no_memory();
	objtrace_known_drop(module_at(HIGH), false);
	tables[HIGH] = NULL;
	test_parts("without the high module");
	objtrace_known_exit();
	return tap_done();
}
