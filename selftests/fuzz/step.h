/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The steps of the fuzzer.  A step depends on the seed, the thread and the number of the step
 * alone, and never on the kernel's answers.
 */
#ifndef _FUZZ_STEP_H
#define _FUZZ_STEP_H

#include "selftests/fuzz/random.h"
#include "selftests/fuzz/text.h"

/* The instances f0, f1, ... */
#define STEP_INSTANCES	3
/* Files that stay open until another step closes them */
#define STEP_SLOTS	12
/* For set_ftrace_filter; the module with the other functions may not be loaded */
#define STEP_TRACED	"vfs_open ott_*"
/* More than a page, which is the limit of most files */
#define STEP_DATA	5120

enum step_op {
	STEP_WRITE,		/* write the data to the file */
	STEP_READ,		/* read @number bytes of the file */
	STEP_OPEN,		/* open the file, and keep it in the slot */
	STEP_REOPEN,		/* open the file of the slot once more, and close it */
	STEP_HELD_WRITE,	/* write the data to the file of the slot */
	STEP_HELD_READ,		/* read @number bytes of the file of the slot */
	STEP_HELD_SEEK,		/* set the position of the file of the slot to @number */
	STEP_HELD_SPLICE,	/* splice @number bytes of the file of the slot into a pipe */
	STEP_HELD_MAP,		/* map a page of the file of the slot, and unmap it */
	STEP_CLOSE,		/* close the file of the slot */
	STEP_MKDIR,		/* make the instance */
	STEP_RMDIR,		/* remove the instance */
	STEP_LOAD,		/* load a module with the data as its parameters */
	STEP_UNLOAD,		/* unload the module; if @number is 1, end its other uses before */
	STEP_CLEAR,		/* write each line of the trigger file back after a '!' */
	STEP_DISABLE_FTRACE,	/* disable ftrace, write the data to set_filter, enable ftrace */
	STEP_PERF,		/* open the perf event number @number, and keep it in the slot */
	STEP_RENAME,		/* rename the thread */
	STEP_FORK,		/* run a task that ends at once */
	STEP_MAP,		/* map, use and unmap @number pages */
	STEP_PAUSE,		/* sleep for @number microseconds */
	NR_STEP_OPS,
};

/**
 * struct step - one action of one thread
 * @op: the action
 * @slot: number of a slot, below STEP_SLOTS
 * @number: a number, see enum step_op
 * @flags: further flags for open()
 * @path: a file, below tracefs unless it begins with '/'; or the name of a module
 * @len: number of bytes in @data
 * @data: the bytes to write, and a NUL
 */
struct step {
	enum step_op op;
	unsigned int slot;
	unsigned int number;
	int flags;
	char path[128];
	size_t len;
	char data[STEP_DATA];
};

/* Contents that stand for a mask of all CPUs */
#define STEP_ALL_CPUS	"all CPUs"

/**
 * struct step_reset - a file, and its contents before and after all steps
 * @path: the file, as in struct step
 * @data: the contents
 */
struct step_reset {
	const char *path;
	const char *data;
};

void step_make(struct random *r, struct step *s);
void step_set_len(struct step *s, size_t len, char fill);
void step_print(const struct step *s, struct text *t);
const char *step_op_name(enum step_op op);
bool step_reset(unsigned int nr, struct step_reset *reset);

#endif /* _FUZZ_STEP_H */
