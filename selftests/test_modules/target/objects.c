// SPDX-License-Identifier: GPL-2.0-only
/*
 * objects.c - the objects that scenarios pass to functions, and the memory that they free
 */
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include "clear_arg_registers.h"
#include "quarantine.h"
#include "target.h"

struct ott_object *ott_few;
struct ott_object *ott_many;
struct ott_shape ott_shape;
void *ott_page;
unsigned long ott_points_to;
void *ott_cur;
unsigned long ott_mid_offset;

/* Enums with an enumerator, and with a name, that other enums of record.c have */
static enum ott_first { OTT_FIRST, OTT_SHARED } ott_first __used;
static enum ott_twin { OTT_TWIN_ONE = 1, OTT_TWIN_BOTH } ott_twin __used;
static enum ott_width ott_widths __used;

/* Begins with an unused object: functions of vmalloc() receive the address of an area */
static void *ott_area;

struct kmem_cache *ott_cache;
struct kmem_cache *ott_typesafe_cache;
struct kmem_cache *ott_sheaves;
void *ott_small;
void *ott_cached;
void *ott_large;
void *ott_bulk[OTT_BULK];
void *ott_rcu;
void *ott_nolock;
void *ott_typesafe;

#ifdef OTT_NOLOCK
/* kmalloc_nolock() fails if the allocator is busy. */
static void *allocate_nolock(void)
{
	void *memory = NULL;
	unsigned int i;

	for (i = 0; i < 100 && !memory; i++)
		memory = kmalloc_nolock(OTT_SMALL_SIZE, 0, NUMA_NO_NODE);
	return memory;
}
#else
static void *allocate_nolock(void) { return NULL; }
#endif

#ifdef OTT_SHEAVES
static struct kmem_cache *create_sheaves(void)
{
	struct kmem_cache_args args = { .sheaf_capacity = OTT_SHEAF };

	return kmem_cache_create("objtrace_target_sheaves", OTT_SMALL_SIZE, &args,
				 SLAB_NO_MERGE);
}
#else
static struct kmem_cache *create_sheaves(void) { return NULL; }
#endif

static void *allocate_rcu(void)
{
	return ott_sheaves ? kmem_cache_alloc(ott_sheaves, GFP_KERNEL) :
	       kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);
}

/* With a constructor, the kernel does not merge the cache with caches of other users. */
static void construct(void *obj)
{
	*(u64 *)obj = OTT_MAGIC;
}

/* Allocate the memory that a scenario freed and did not allocate again. */
int allocate_freed(void)
{
	unsigned int i;

	ott_small = ott_small ?: kmalloc(OTT_SMALL_SIZE, GFP_KERNEL);
	ott_cached = ott_cached ?: kmem_cache_alloc(ott_cache, GFP_KERNEL);
	ott_large = ott_large ?: kmalloc(OTT_LARGE_SIZE, GFP_KERNEL);
	ott_rcu = ott_rcu ?: allocate_rcu();
	ott_nolock = ott_nolock ?: allocate_nolock();
	ott_typesafe = ott_typesafe ?: kmem_cache_alloc(ott_typesafe_cache, GFP_KERNEL);
	for (i = 0; i < OTT_BULK; i++)
		ott_bulk[i] = ott_bulk[i] ?: kmem_cache_alloc(ott_cache, GFP_KERNEL);
	for (i = 0; i < OTT_BULK; i++)
		if (!ott_bulk[i])
			return -ENOMEM;
	if (!ott_small || !ott_cached || !ott_large || !ott_rcu || !ott_typesafe)
		return -ENOMEM;
	return 0;
}

static void fill(struct ott_object *objects, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		objects[i].magic = OTT_MAGIC;
		objects[i].value = i;
		objects[i].tail = OTT_TAIL;
	}
}

/* The caller frees the objects if this fails. */
int allocate_objects(void)
{
	ott_few = kcalloc(OTT_FEW, sizeof(*ott_few), GFP_KERNEL);
	ott_area = vzalloc(array_size(OTT_MANY + 1, sizeof(*ott_many)));
	ott_page = vzalloc(PAGE_SIZE);
	ott_cache = kmem_cache_create("objtrace_target", OTT_CACHED_SIZE, 0, 0, construct);
	ott_typesafe_cache = kmem_cache_create("objtrace_target_typesafe", OTT_CACHED_SIZE,
					       0, SLAB_TYPESAFE_BY_RCU, construct);
	ott_sheaves = create_sheaves();
	if (!ott_few || !ott_area || !ott_page || !ott_cache || !ott_typesafe_cache ||
	    allocate_freed() || ott_take_left(0))
		return -ENOMEM;
	ott_many = ott_area + sizeof(*ott_many);
	fill(ott_few, OTT_FEW);
	fill(ott_many, OTT_MANY);
	*(u64 *)OTT_END = OTT_MAGIC;
	return 0;
}

void free_objects(void)
{
	unsigned int i;

	for (i = 0; ott_cache && i < OTT_BULK; i++)
		if (ott_bulk[i])
			kmem_cache_free(ott_cache, ott_bulk[i]);
	for (i = ott_nr_left; ott_cache && i < OTT_LEFT; i++)
		if (ott_left[i])
			kmem_cache_free(ott_cache, ott_left[i]);
	if (ott_typesafe)
		kmem_cache_free(ott_typesafe_cache, ott_typesafe);
	kmem_cache_destroy(ott_typesafe_cache);
	if (ott_cached)
		kmem_cache_free(ott_cache, ott_cached);
	kmem_cache_destroy(ott_cache);
	/* kmem_cache_destroy() waits for objects of kfree_rcu() if the kernel has sheaves */
	kfree(ott_rcu);
	kmem_cache_destroy(ott_sheaves);
	ott_free_nolock(ott_nolock);
	kfree(ott_large);
	kfree(ott_small);
	vfree(ott_page);
	vfree(ott_area);
	kfree(ott_few);
}

/* Add and pass an object while no interrupt can find it in a register. */
OTT_FUNC void hand_over(void *obj)
{
	unsigned long flags;

	*(u64 *)obj = OTT_MAGIC;
	local_irq_save(flags);
	add(obj);
	take(obj);
	clear_arg_registers();
	local_irq_restore(flags);
}

OTT_FUNC void hand_back(void *obj)
{
	unsigned long flags;

	local_irq_save(flags);
	take(obj);
	clear_arg_registers();
	local_irq_restore(flags);
}

/*
 * Allocate @same again, which this CPU freed: the allocator returns it after objects that the
 * CPU freed later.  A list keeps these objects until the end.
 */
void *allocate_same(struct kmem_cache *cache, const void *same, unsigned int max)
{
	void *others = NULL;
	void *obj;

	end_quarantine(cache);
	while ((obj = kmem_cache_alloc(cache, GFP_KERNEL)) && obj != same && max--) {
		*(void **)obj = others;
		others = obj;
	}
	while (others) {
		void *next = *(void **)others;

		kmem_cache_free(cache, others);
		others = next;
	}
	return obj;
}

/* "NAME NUMBER" per line */
static int objects_get(char *buf, const struct kernel_param *kp)
{
	int i, at = 0;

	at += sysfs_emit_at(buf, at, "A 0x%lx\n", (unsigned long)OTT_A);
	at += sysfs_emit_at(buf, at, "B 0x%lx\n", (unsigned long)OTT_B);
	at += sysfs_emit_at(buf, at, "C 0x%lx\n", (unsigned long)OTT_C);
	at += sysfs_emit_at(buf, at, "END 0x%lx\n", (unsigned long)OTT_END);
	at += sysfs_emit_at(buf, at, "WRAP 0x%lx\n", OTT_WRAP);
	at += sysfs_emit_at(buf, at, "WRAP_OFFSET 0x%lx\n", OTT_WRAP_OFFSET);
	at += sysfs_emit_at(buf, at, "SHAPE 0x%lx\n", (unsigned long)&ott_shape);
	at += sysfs_emit_at(buf, at, "BLOCK 0x%lx\n", (unsigned long)ott_block);
	at += sysfs_emit_at(buf, at, "CUR 0x%lx\n", (unsigned long)&ott_cur);
	at += sysfs_emit_at(buf, at, "MID_OFFSET %lu\n", ott_mid_offset);
	at += sysfs_emit_at(buf, at, "SMALL 0x%lx\n", (unsigned long)ott_small);
	at += sysfs_emit_at(buf, at, "INNER 0x%lx\n", (unsigned long)OTT_INNER);
	at += sysfs_emit_at(buf, at, "OTHER 0x%lx\n", (unsigned long)OTT_OTHER);
	at += sysfs_emit_at(buf, at, "CACHED 0x%lx\n", (unsigned long)ott_cached);
	at += sysfs_emit_at(buf, at, "DEEP 0x%lx\n", (unsigned long)OTT_DEEP);
	at += sysfs_emit_at(buf, at, "RCU 0x%lx\n", (unsigned long)ott_rcu);
	at += sysfs_emit_at(buf, at, "NOLOCK 0x%lx\n", (unsigned long)ott_nolock);
	for (i = 0; i < OTT_BULK; i++)
		at += sysfs_emit_at(buf, at, "BULK%d 0x%lx\n", i,
				    (unsigned long)ott_bulk[i]);
	at += sysfs_emit_at(buf, at, "TYPESAFE 0x%lx\n", (unsigned long)ott_typesafe);
	for (i = 0; i < OTT_LEFT; i++)
		at += sysfs_emit_at(buf, at, "LEFT%d 0x%lx\nPART%d 0x%lx\n", i,
				    (unsigned long)ott_left[i], i,
				    (unsigned long)ott_left[i] + OTT_PART);
	for (i = 0; i < OTT_NAMED; i++)
		at += sysfs_emit_at(buf, at, "M%d 0x%lx\n", i, (unsigned long)&ott_many[i]);
	return at;
}

static const struct kernel_param_ops objects_ops = { .get = objects_get };
module_param_cb(objects, &objects_ops, NULL, 0400);
MODULE_PARM_DESC(objects, "addresses of the objects, and other numbers for the tests");

module_param_named(points_to, ott_points_to, ulong, 0200);
MODULE_PARM_DESC(points_to,
		 "address of the parent in the scenario point, and of the object in the scenario place");
