// SPDX-License-Identifier: GPL-2.0-only
/*
 * Play the steps of generate.py, and free and allocate objects between the steps. The random
 * numbers are the same as in generate.py, which predicts the records.
 *
 * While a register may have an object, interrupts are off. The registers are cleared before
 * interrupts are on again, because arm64 enters an interrupt with the registers of the interrupted
 * code.
 */
#ifdef __KERNEL__
#include <linux/irqflags.h>
#include <linux/sched.h>
#endif
#include "truth.h"

#include "../test_modules/clear_arg_registers.h"

unsigned long ott_slot[OTT_OBJECTS];
unsigned long ott_spare;
unsigned long ott_calls;

static u32 plan;
static u32 generation;

/**
 * ott_entered() - count the entry of a generated function
 *
 * Context: task, interrupts off.
 */
noinline notrace void ott_entered(void)
{
	ott_calls++;
}

/**
 * ott_change_notrace() - increment the value of an object
 * @word: the object, or another number
 *
 * Context: task, interrupts off.
 */
noinline notrace void ott_change_notrace(unsigned long word)
{
	ott_do_inline(word);
	ott_barrier();
}

/**
 * ott_poison() - leave objects in the argument registers
 * @a1: object in the first register
 * @a2: object in the second register
 * @a3: object in the third register
 * @a4: object in the fourth register
 * @a5: object in the fifth register
 * @a6: object in the sixth register
 * @a7: object in the seventh register; on the stack on x86-64
 * @a8: object in the eighth register; on the stack on x86-64
 *
 * Context: task, interrupts off.
 */
noinline notrace
void ott_poison(unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		unsigned long a5, unsigned long a6, unsigned long a7, unsigned long a8)
{
	ott_barrier();
}

/**
 * ott_truth_add() - function with a probe of the test that adds the object
 * @object: the object
 *
 * Context: task, interrupts off.
 */
OTT_FUNC void ott_truth_add(void *object)
{
	ott_use(object);
	ott_barrier();
}

/**
 * ott_truth_del() - function with a probe of the test that deletes the object
 * @object: the object
 *
 * Context: task, interrupts off.
 */
OTT_FUNC void ott_truth_del(void *object)
{
	ott_use(object);
	ott_barrier();
}

static OTT_FUNC void ott_track(unsigned int slot)
{
	unsigned long flags;

	local_irq_save(flags);
	ott_truth_add((void *)ott_slot[slot]);
	clear_arg_registers();
	local_irq_restore(flags);
	ott_wait_for_cpus();
}

static OTT_FUNC void ott_untrack(unsigned int slot)
{
	unsigned long flags;

	local_irq_save(flags);
	ott_truth_del((void *)ott_slot[slot]);
	clear_arg_registers();
	local_irq_restore(flags);
}

static OTT_FUNC void ott_step(unsigned int step, unsigned int r)
{
	unsigned long flags;

	local_irq_save(flags);
	ott_steps[step](r);
	clear_arg_registers();
	local_irq_restore(flags);
}

static u32 next_random(void)
{
	plan ^= plan << 13;
	plan ^= plan >> 17;
	plan ^= plan << 5;
	return plan;
}

/* No object is tracked, so there is no record */
static void set_first_value(unsigned int slot)
{
	((struct ott_object *)ott_slot[slot])->value = generation++ << 12;
	clear_arg_registers();
}

/* Free two objects and allocate them again, maybe with swapped addresses */
static int reuse(unsigned int one, unsigned int other, bool swap)
{
	int ret;

	ott_untrack(one);
	ott_untrack(other);
	ret = ott_renew(one, other, swap);
	clear_arg_registers();
	if (ret)
		return ret;
	set_first_value(one);
	set_first_value(other);
	ott_track(one);
	return 0;
}

static int change(u32 x)
{
	unsigned int slot = x >> 2 & 7;

	switch (x & 3) {
	case 0:
	case 1:
		ott_track(slot);
		return 0;
	case 2:
		ott_untrack(slot);
		return 0;
	}
	return reuse(slot, (slot + 1 + (x >> 5 & 0xff) % 7) % OTT_OBJECTS, x >> 13 & 1);
}

static int play_one(void)
{
	u32 x = next_random();

	ott_step((x >> 3) % OTT_STEPS, x & 7);
	x = next_random();
	return x & 3 ? 0 : change(x >> 2);
}

/**
 * ott_play() - play the next steps
 * @nr_steps: number of steps
 *
 * No object is tracked before the first step and after the last step.
 *
 * Context: task.
 * Return: 0, or the error of ott_renew()
 */
int ott_play(unsigned int nr_steps)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < OTT_OBJECTS; i++)
		if (i % 3 != 2)
			ott_track(i);
	while (!ret && nr_steps--) {
		ret = play_one();
		cond_resched();
	}
	for (i = 0; i < OTT_OBJECTS; i++)
		ott_untrack(i);
	return ret;
}

/**
 * ott_reset() - start again with the first step
 *
 * Context: task; each slot has its object, and no object is tracked.
 */
void ott_reset(void)
{
	unsigned int i;

	plan = OTT_SEED;
	generation = 0;
	for (i = 0; i < OTT_OBJECTS; i++)
		set_first_value(i);
}

#ifndef __KERNEL__
const struct ott_symbol ott_symbols_play[] = {
	{ "ott_truth_add", ott_truth_add, 1, 0 },
	{ "ott_truth_del", ott_truth_del, 1, 0 },
	{ "ott_track", ott_track, 0, 0 },
	{ "ott_untrack", ott_untrack, 0, 0 },
	{ "ott_step", ott_step, 0, 0 },
	{ "ott_play", ott_play, 0, 0 },
	{ "ott_reset", ott_reset, 0, 0 },
	{ },
};
#endif
