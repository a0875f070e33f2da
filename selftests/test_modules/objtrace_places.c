// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_places - a number in each kind of the kernel's memory
 *
 * The parameter places has a line "NAME ADDRESS VALUE" for each kind.  VALUE
 * is the 8 bytes at the address, as records show them.
 *
 * The parameter offline takes the physical address of an offline page, and spoils its struct page,
 * as a kernel with CONFIG_DEBUG_VM does.  The parameter then has such a line, too.
 */
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/pfn.h>
#include <linux/pgtable.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

/* Different values, so that a read of a wrong address is noticed */
#define OTP_VALUE(n)	(0x0dd5000000000000ULL + (n))

static u64 otp_data = OTP_VALUE(1);
static const u64 otp_rodata = OTP_VALUE(2);
static DEFINE_PER_CPU(u64, otp_static_percpu);

static u64 *otp_kmalloc;
static u64 *otp_pages;			/* too large for the caches of kmalloc() */
static u64 *otp_vmalloc;		/* two pages */
static u64 *otp_huge;			/* vmalloc, in a large page if possible */
static u64 __percpu *otp_percpu;
static struct page *otp_page;		/* of the three mappings */
static u64 *otp_cached;
static u64 *otp_combining;
static u64 *otp_uncached;
static struct task_struct *otp_task;
static u64 *otp_stack;			/* a variable of that task's function */
static DECLARE_COMPLETION(otp_runs);

/* Across the end of a page */
#define OTP_ACROSS	((void *)otp_vmalloc + PAGE_SIZE - sizeof(u32))

/* A number of 8 bytes in the kernel's image that modules can name */
#define OTP_IMAGE	((void *)init_uts_ns.name.sysname)

static int otp_thread(void *unused)
{
	u64 value = OTP_VALUE(3);

	OPTIMIZER_HIDE_VAR(value);
	WRITE_ONCE(otp_stack, &value);
	complete(&otp_runs);
	set_current_state(TASK_INTERRUPTIBLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_INTERRUPTIBLE);
	}
	__set_current_state(TASK_RUNNING);
	/* A variable that nothing reads need not be in memory */
	return READ_ONCE(value) != OTP_VALUE(3);
}

static int emit(char *buf, int at, const char *name, void *place, u64 value)
{
	return at + sysfs_emit_at(buf, at, "%s 0x%lx 0x%llx\n", name, (unsigned long)place,
				  value);
}

/* An x86 kernel without page attributes has no mapping that combines writes */
static bool can_combine(void)
{
	return pgprot_val(pgprot_writecombine(PAGE_KERNEL)) !=
	       pgprot_val(pgprot_noncached(PAGE_KERNEL));
}

/* Shown as io: a mapping of RAM that forbids speculative reads */
static int emit_io(char *buf, int at, const char *name, void *place)
{
	return at + sysfs_emit_at(buf, at, "%s 0x%lx (io)\n", name, (unsigned long)place);
}

static int otp_places_get(char *buf, const struct kernel_param *kp)
{
	u64 image;
	int at = 0;

	if (!otp_stack)
		return -ENODEV;
	memcpy(&image, OTP_IMAGE, sizeof(image));
	at = emit(buf, at, "data", &otp_data, OTP_VALUE(1));
	at = emit(buf, at, "rodata", (void *)&otp_rodata, OTP_VALUE(2));
	at = emit(buf, at, "stack", otp_stack, OTP_VALUE(3));
	at = emit(buf, at, "static_percpu", per_cpu_ptr(&otp_static_percpu, 0), OTP_VALUE(4));
	at = emit(buf, at, "percpu", per_cpu_ptr(otp_percpu, 0), OTP_VALUE(5));
	at = emit(buf, at, "kmalloc", otp_kmalloc, OTP_VALUE(6));
	at = emit(buf, at, "pages", otp_pages, OTP_VALUE(7));
	at = emit(buf, at, "vmalloc", otp_vmalloc, OTP_VALUE(8));
	at = emit(buf, at, "across", OTP_ACROSS, OTP_VALUE(9));
	at = emit(buf, at, "huge", otp_huge, OTP_VALUE(10));
	at = emit(buf, at, "image", OTP_IMAGE, image);
	at = emit(buf, at, "vmap", otp_cached, OTP_VALUE(11));
	at = can_combine() ? emit(buf, at, "vmap_combining", otp_combining + 1, OTP_VALUE(12)) :
			     emit_io(buf, at, "vmap_combining", otp_combining + 1);
	return emit_io(buf, at, "vmap_uncached", otp_uncached);
}

static const struct kernel_param_ops otp_places_ops = { .get = otp_places_get };
module_param_cb(places, &otp_places_ops, NULL, 0400);
MODULE_PARM_DESC(places, "a line NAME ADDRESS VALUE for each kind of memory");

static u64 *otp_offline;

/* KASAN takes offline memory for freed memory, and reads its spoilt struct page for the report */
static noinline __no_sanitize_address void write_offline(u64 value)
{
	WRITE_ONCE(*otp_offline, value);
}

static int otp_offline_set(const char *val, const struct kernel_param *kp)
{
	unsigned long address, pfn;
	int ret = kstrtoul(val, 0, &address);

	if (ret)
		return ret;
	pfn = PFN_DOWN(address);
	if (!pfn_valid(pfn) || pfn_to_online_page(pfn))
		return -EINVAL;
	memset(pfn_to_page(pfn), 0xff, sizeof(struct page));
	otp_offline = __va(PFN_PHYS(pfn));
	write_offline(OTP_VALUE(13));
	return 0;
}

static int otp_offline_get(char *buf, const struct kernel_param *kp)
{
	return otp_offline ? emit(buf, 0, "offline", otp_offline, OTP_VALUE(13)) : -ENODEV;
}

static const struct kernel_param_ops otp_offline_ops = {
	.set = otp_offline_set,
	.get = otp_offline_get,
};
module_param_cb(offline, &otp_offline_ops, NULL, 0600);
MODULE_PARM_DESC(offline, "the physical address of an offline page, whose struct page is spoilt");

static void *map_page(pgprot_t protection)
{
	return vmap(&otp_page, 1, VM_MAP, protection);
}

static void free_all(void)
{
	if (!IS_ERR_OR_NULL(otp_task))
		kthread_stop(otp_task);
	vunmap(otp_uncached);
	vunmap(otp_combining);
	vunmap(otp_cached);
	if (otp_page)
		__free_page(otp_page);
	free_percpu(otp_percpu);
	vfree(otp_huge);
	vfree(otp_vmalloc);
	kfree(otp_pages);
	kfree(otp_kmalloc);
}

static bool allocate_all(void)
{
	otp_kmalloc = kmalloc(sizeof(u64), GFP_KERNEL);
	otp_pages = kmalloc(16 * PAGE_SIZE, GFP_KERNEL);
	otp_vmalloc = vzalloc(2 * PAGE_SIZE);
	otp_huge = vmalloc_huge(PMD_SIZE, GFP_KERNEL);
	otp_percpu = alloc_percpu(u64);
	otp_page = alloc_page(GFP_KERNEL);
	if (!otp_kmalloc || !otp_pages || !otp_vmalloc || !otp_huge || !otp_percpu || !otp_page)
		return false;
	otp_cached = map_page(PAGE_KERNEL);
	otp_combining = map_page(pgprot_writecombine(PAGE_KERNEL));
	otp_uncached = map_page(pgprot_noncached(PAGE_KERNEL));
	otp_task = kthread_run(otp_thread, NULL, "otp");
	return otp_cached && otp_combining && otp_uncached && !IS_ERR(otp_task);
}

static int __init otp_init(void)
{
	const u64 across = OTP_VALUE(9);

	if (!allocate_all()) {
		free_all();
		return -ENOMEM;
	}
	wait_for_completion(&otp_runs);
	*per_cpu_ptr(&otp_static_percpu, 0) = OTP_VALUE(4);
	*per_cpu_ptr(otp_percpu, 0) = OTP_VALUE(5);
	*otp_kmalloc = OTP_VALUE(6);
	*otp_pages = OTP_VALUE(7);
	*otp_vmalloc = OTP_VALUE(8);
	memcpy(OTP_ACROSS, &across, sizeof(across));
	*otp_huge = OTP_VALUE(10);
	otp_cached[0] = OTP_VALUE(11);
	/* Each mapping reads what it has written, also where caches are not coherent */
	WRITE_ONCE(otp_combining[1], OTP_VALUE(12));
	mb();	/* out of the write-combining buffer */
	return 0;
}

static void __exit otp_exit(void)
{
	free_all();
}

module_init(otp_init);
module_exit(otp_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A number in each kind of the kernel's memory");
MODULE_INFO(test, "Y");
