// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - scenarios with few objects
 *
 * Most of them are for test.d/record.  The tests in filter, instances, lifetime, neighbours,
 * trigger and zombie use some of them, too.
 */
#include <linux/err.h>
#include <linux/mman.h>
#include <linux/uaccess.h>

#include "clear_arg_registers.h"
#include "target.h"

static struct ott_lonely ott_lonely;

/* Enums with an enumerator, and with a name, that other enums of objects.c have */
static enum ott_second { OTT_SECOND, OTT_SHARED } ott_second __used;
static enum ott_twin { OTT_TWIN_TWO = 1, OTT_TWIN_BOTH } ott_twin __used;

static noinline void ott_chain(unsigned int n)
{
	OTT_A->value = 0x10;
	add(OTT_A);
	ott_step1(OTT_A, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, OTT_A, NULL, NULL, NULL, NULL, NULL);
	OTT_A->value = 0x40;
	take(OTT_A);
	take(OTT_B);
	ott_barrier();
}

static noinline void ott_changes(unsigned int n)
{
	add(OTT_A);
	while (n--) {
		OTT_A->value++;
		take(OTT_A);
	}
	ott_barrier();
}

/* objtrace does not see arguments on the stack. */
static noinline void ott_args(unsigned int n)
{
	void *a = OTT_A;

	add(a);
	ott_take(a, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, a, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, a, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, NULL, a, NULL, NULL, NULL, NULL);
	ott_take(NULL, NULL, NULL, NULL, a, NULL, NULL, NULL);
	ott_take(NULL, NULL, NULL, NULL, NULL, a, NULL, NULL);
	ott_take(NULL, NULL, NULL, NULL, NULL, NULL, a, NULL);
	ott_take(NULL, NULL, NULL, NULL, NULL, NULL, NULL, a);
	ott_barrier();
}

static noinline void ott_two(unsigned int n)
{
	void *a = OTT_A, *b = OTT_B;

	add(a);
	add(b);
	ott_take(a, b, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(b, a, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, a, a, NULL, NULL, NULL, NULL, NULL);
	ott_take(NULL, b, a, b, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_none(unsigned int n)
{
	add(OTT_A);
	clear_arg_registers();
	ott_noargs();
	ott_take(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

/*
 * Pass A, B and C in all registers, although the function has another type.  kCFI compares the
 * type of the function with the type of the pointer.
 */
static noinline __nocfi void call_with_objects(void *function)
{
	void (*f)(OTT_ARGS) = function;

	OPTIMIZER_HIDE_VAR(f);
	f(OTT_A, OTT_B, OTT_C, OTT_A, OTT_B, OTT_C, OTT_A, OTT_B);
	ott_barrier();
}

static noinline void ott_stale(unsigned int n)
{
	add(OTT_A);
	add(OTT_B);
	add(OTT_C);
	call_with_objects(ott_noargs);
	call_with_objects(ott_takes_one);
	call_with_objects(ott_takes_ints);
	call_with_objects(ott_takes_mixed);
	call_with_objects(ott_takes_pair);
	call_with_objects(ott_takes_any);
	call_with_objects(ott_clone);
	ott_barrier();
}

static noinline void ott_passed(unsigned int n)
{
	clear_arg_registers();
	ott_takes_one(OTT_B);
	ott_barrier();
}

static noinline void ott_types(unsigned int n)
{
	add(OTT_A);
	ott_for_object(OTT_A);
	ott_for_const(0, OTT_A);
	ott_for_any(OTT_A);
	ott_for_shape((void *)OTT_A);
	ott_for_number((unsigned long)OTT_A);
	WRITE_ONCE(ott_lonely.value, n);
	drop(OTT_A);
	ott_barrier();
}

static noinline void ott_again(unsigned int n)
{
	add(OTT_A);
	add(OTT_A);
	add(OTT_B);
	add(OTT_A);
	take(OTT_B);
	ott_barrier();
}

static noinline void ott_touch(unsigned int n)
{
	take(OTT_A);
	take(OTT_B);
	ott_barrier();
}

static noinline void ott_inside(unsigned int n)
{
	void *a = OTT_A;

	add(a);
	take(a);
	take(a + 8);
	take(a + sizeof(struct ott_object) - 1);
	take(a + sizeof(struct ott_object));
	take(a - 1);
	ott_take(a + 0x10, a, a + 0x10, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_twice(unsigned int n)
{
	void *a = OTT_A;

	ott_add(a + 8, a, a + 0x10, NULL, NULL, NULL, NULL, NULL);
	ott_add(a + 8, a, a + 0x10, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_faults(unsigned int n)
{
	OTT_A->parent = NULL;
	OTT_B->value = 0xb0;
	add(OTT_A);
	take(OTT_A);
	OTT_A->parent = OTT_B;
	take(OTT_A);
	take(OTT_A);
	OTT_A->parent = NULL;
	take(OTT_A);
	ott_barrier();
}

static noinline void ott_point(unsigned int n)
{
	OTT_A->parent = (void *)ott_points_to;
	add(OTT_A);
	take(OTT_A);
	OTT_A->parent = NULL;
	ott_barrier();
}

static noinline void ott_place(unsigned int n)
{
	void *object = (void *)ott_points_to;

	add(object);
	take(object);
	ott_barrier();
}

static noinline void ott_leaps(unsigned int n)
{
	add(OTT_A);
	ott_leap(OTT_A, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_ret(unsigned int n)
{
	void *a = ott_get();

	take(a);
	ott_barrier();
}

noinline void ott_middle(unsigned int n)
{
	ott_cur = OTT_A;
	ott_mid(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_cur = NULL;
	take(OTT_A);
	ott_barrier();
}

static noinline void ott_parent(unsigned int n)
{
	OTT_A->parent = OTT_B;
	ott_up(OTT_A, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
	OTT_A->parent = NULL;
	ott_barrier();
}

static noinline void ott_static(unsigned int n)
{
	ott_fire(OTT_A, (void *)(unsigned long)n, NULL, NULL, NULL, NULL, NULL, NULL);
	take(OTT_A);
	ott_barrier();
}

static noinline void ott_mark(unsigned int n)
{
	ott_fire(NULL, (void *)(unsigned long)n, NULL, NULL, NULL, NULL, NULL, NULL);
	ott_barrier();
}

static noinline void ott_show(unsigned int n)
{
	ott_shape.low = 5;
	ott_shape.middle = 0x15;
	ott_shape.high = -2;
	ott_shape.depth = -7;
	ott_shape.letter = 'x';
	ott_shape.filled = true;
	ott_shape.colour = n ? n : OTT_GREEN;
	ott_shape.width = 0x102;
	ott_shape.height = 0x304;
	ott_shape.corner[2].x = -30000;
	ott_shape.corner[1].y[1][2] = 0xab;
	ott_shape.object = OTT_B;
	ott_shape.function = ott_take;
	ott_shape.user = (void *)0x1000;
	OTT_B->value = 0xb0;
	OTT_B->parent = OTT_C;
	OTT_C->value = 0xc0;
	OTT_C->parent = NULL;
	add(&ott_shape);
	take(&ott_shape);
	OTT_B->parent = NULL;
	ott_barrier();
}

static noinline void ott_parts(unsigned int n)
{
	add(&ott_shape);
	take(&ott_shape.depth);
	take(&ott_shape.corner[1].y[1][2]);
	take(&ott_shape.object);
	ott_barrier();
}

static noinline void ott_end(unsigned int n)
{
	add(OTT_END);
	take(OTT_END);
	ott_barrier();
}

static noinline void ott_reject(unsigned int n)
{
	add(NULL);
	take(NULL);
	add(ERR_PTR(-1));
	take(ERR_PTR(-1));
	add(ERR_PTR(-MAX_ERRNO));
	take(ERR_PTR(-MAX_ERRNO));
	add((void *)1);
	take((void *)1);
	ott_barrier();
}

static noinline void ott_user(unsigned int n)
{
	add((void *)OTT_WRAP_USER);
	take((void *)OTT_WRAP_USER);
	ott_barrier();
}

static noinline void ott_wrap(unsigned int n)
{
	add((void *)OTT_WRAP);
	take((void *)OTT_WRAP);
	ott_barrier();
}

static noinline void ott_point_user(unsigned int n)
{
	OTT_A->parent = (void *)OTT_WRAP_USER;
	add(OTT_A);
	take(OTT_A);
	OTT_A->parent = NULL;
	ott_barrier();
}

/* The page is at OTT_WRAP_USER. */
static int run_with_user_page(void (*scenario)(unsigned int), unsigned int n)
{
	unsigned long addr;
	int ret;

	addr = vm_mmap(NULL, OTT_WRAP_USER, PAGE_SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, 0);
	if (IS_ERR_VALUE(addr))
		return addr;
	ret = put_user(OTT_SECRET, (u64 __user *)addr);
	if (!ret)
		run_irqs_off(scenario, n);
	vm_munmap(addr, PAGE_SIZE);
	return ret;
}

static const struct ott_scenario record_scenarios[] = {
	{ "chain", "Add A, pass it through a chain of calls, and change its value on the way.",
	  run_once, ott_chain },
	{ "changes", "Add A, and pass it N times, each time with another value.",
	  run_once, ott_changes },
	{ "args", "Add A, and pass it to ott_take() as each argument in turn.",
	  run_once, ott_args },
	{ "two", "Add A and B, and pass both to each call, in several orders.",
	  run_once, ott_two },
	{ "none", "Add A, and call functions that do not receive it.",
	  run_once, ott_none },
	{ "stale", "Add A, B and C, and call functions with these objects in all registers.",
	  run_once, ott_stale },
	{ "passed", "Pass B to ott_takes_one(), as its only argument.",
	  run_once, ott_passed },
	{ "types", "Add A, pass it to functions for several types, and drop it.",
	  run_once, ott_types },
	{ "again", "Add A twice, B, and A again, and pass B.",
	  run_once, ott_again },
	{ "touch", "Pass A and B, without adding them.",
	  run_once, ott_touch },
	{ "inside", "Add A, and pass addresses inside it and next to it.",
	  run_once, ott_inside },
	{ "twice", "Pass three addresses inside A to ott_add(), twice.",
	  run_once, ott_twice },
	{ "faults", "Add A, and pass it while its parent is NULL, B, and NULL again.",
	  run_once, ott_faults },
	{ "point", "Add and pass A, whose parent is at the address in points_to.",
	  run_once, ott_point },
	{ "place", "Add and pass the address in points_to.",
	  run_once, ott_place },
	{ "leaps", "Add A, and pass it to ott_leap(), which jumps to ott_take().",
	  run_once, ott_leaps },
	{ "ret", "Pass A after ott_get() has returned it.",
	  run_once, ott_ret },
	{ "middle", "Call ott_mid(), whose probe finds A in ott_cur, and pass A.",
	  run_once, ott_middle },
	{ "parent", "Pass A to ott_up(), which calls itself with B, the parent of A.",
	  run_once, ott_parent },
	{ "static", "Fire ott_event with A and the number N, and pass A.",
	  run_once, ott_static },
	{ "mark", "Fire ott_event with NULL and the number N.",
	  run_once, ott_mark },
	{ "show", "Fill the members of SHAPE, with the colour N unless N is 0, and add and pass it.",
	  run_once, ott_show },
	{ "parts", "Add SHAPE, and pass the addresses of some members.",
	  run_once, ott_parts },
	{ "end", "Add and pass END, the last 8 bytes before unmapped memory.",
	  run_once, ott_end },
	{ "reject", "Add and pass NULL, error pointers and the address 1.",
	  run_once, ott_reject },
	{ "user", "Add and pass the address of a readable user page.",
	  run_with_user_page, ott_user },
	{ "wrap", "Add and pass WRAP, whose member wraps around to a readable user page.",
	  run_with_user_page, ott_wrap },
	{ "point_user", "Add and pass A, whose parent is a readable user page.",
	  run_with_user_page, ott_point_user },
};

OTT_GROUP(ott_record_scenarios, record_scenarios);
