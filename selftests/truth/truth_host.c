// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run the functions and steps of generate.py on an x86-64 host. The compiler calls __fentry__ at
 * the entry of each function, which does the work of objtrace in the simplest way.
 *
 * Reads the number of steps from "expected" on stdin, and prints the records. The predictions about
 * calls, registers and objects are right if the output equals "expected".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

#define NR_REGISTERS	6
#define MODULE		" [objtrace_truth]"

/* The registers that __fentry__ has pushed, in reverse order */
struct entry {
	unsigned long	r10, rax, r9, r8, cx, dx, si, di;
	unsigned long	ip;
	unsigned long	parent_ip;
};

extern const struct ott_symbol ott_symbols_a[], ott_symbols_b[], ott_symbols_play[];
void __fentry__(void);
void host_entry(const struct entry *e);

static struct ott_object objects[OTT_OBJECTS];
static bool is_tracked[OTT_OBJECTS];
static unsigned long hits[OTT_OBJECTS];

static struct ott_symbol symbols[8192];
static unsigned int nr_symbols;

asm(".globl __fentry__\n"
    "__fentry__:\n\t"
    "push %rdi\n\t" "push %rsi\n\t" "push %rdx\n\t" "push %rcx\n\t"
    "push %r8\n\t" "push %r9\n\t" "push %rax\n\t" "push %r10\n\t"
    "mov %rsp, %rdi\n\t"
    /* Called where the stack is not aligned, and for this it is to be */
    "push %rbp\n\t"
    "mov %rsp, %rbp\n\t"
    "and $-16, %rsp\n\t"
    "call host_entry\n\t"
    "mov %rbp, %rsp\n\t"
    "pop %rbp\n\t"
    "pop %r10\n\t" "pop %rax\n\t" "pop %r9\n\t" "pop %r8\n\t"
    "pop %rcx\n\t" "pop %rdx\n\t" "pop %rsi\n\t" "pop %rdi\n\t"
    "ret");

/* Find the function with an address */
static const struct ott_symbol *symbol_of(unsigned long ip)
{
	unsigned int low = 0, high = nr_symbols, middle;

	while (high - low > 1) {
		middle = (low + high) / 2;
		if ((unsigned long)symbols[middle].function <= ip)
			low = middle;
		else
			high = middle;
	}
	return &symbols[low];
}

static int object_at(unsigned long address)
{
	unsigned int i;

	for (i = 0; i < OTT_OBJECTS; i++)
		if (address == (unsigned long)&objects[i] && is_tracked[i])
			return i;
	return -1;
}

static void record(const struct entry *e, const struct ott_symbol *s, int i,
		   unsigned int mark)
{
	printf("objtrace_value: %s" MODULE " <-%s" MODULE " object:%c", s->name,
	       symbol_of(e->parent_ip)->name, 'A' + i);
	if (mark)
		printf(" arg%u?", mark);
	printf(" value:0x%x\n", objects[i].value);
	hits[i]++;
}

static void record_registers(const struct entry *e, const struct ott_symbol *s)
{
	unsigned long args[] = { e->di, e->si, e->dx, e->cx, e->r8, e->r9 };
	bool is_seen[OTT_OBJECTS] = {};
	unsigned int n;
	int i;

	for (n = 0; n < NR_REGISTERS; n++) {
		i = s->objects & 1 << n ? object_at(args[n]) : -1;
		if (i < 0 || is_seen[i])
			continue;
		is_seen[i] = true;
		record(e, s, i, s->marked & 1 << n ? n + 1 : 0);
	}
}

static void begin(unsigned long address)
{
	int i = (struct ott_object *)address - objects;

	is_tracked[i] = true;
	hits[i] = 0;
	printf("objtrace_add: object:%c value:0x%x event:ott:truth_add\n", 'A' + i,
	       objects[i].value);
}

static void end(int i)
{
	is_tracked[i] = false;
	printf("objtrace_del: object:%c reason:del hits:%lu\n", 'A' + i, hits[i]);
}

void host_entry(const struct entry *e)
{
	const struct ott_symbol *s = symbol_of(e->ip);
	int i = object_at(e->di);

	if (s->function == ott_truth_add && i < 0) {
		begin(e->di);
		return;
	}
	record_registers(e, s);
	if (s->function == ott_truth_del && i >= 0)
		end(i);
}

int ott_renew(unsigned int one, unsigned int other, bool swap)
{
	unsigned long was = ott_slot[one];

	if (swap) {
		ott_slot[one] = ott_slot[other];
		ott_slot[other] = was;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct ott_symbol *one = a, *other = b;

	return (one->function > other->function) - (one->function < other->function);
}

static void add_symbols(const struct ott_symbol *s)
{
	for (; s->name && nr_symbols < sizeof(symbols) / sizeof(symbols[0]); s++)
		symbols[nr_symbols++] = *s;
}

static void sort_symbols(void)
{
	add_symbols(ott_symbols_a);
	add_symbols(ott_symbols_b);
	add_symbols(ott_symbols_play);
	qsort(symbols, nr_symbols, sizeof(symbols[0]), compare);
}

int main(void)
{
	char line[256];
	unsigned int i;

	sort_symbols();
	for (i = 0; i < OTT_OBJECTS; i++)
		ott_slot[i] = (unsigned long)&objects[i];
	ott_spare = (unsigned long)calloc(1, sizeof(struct ott_object));
	ott_reset();
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "run %u", &i) != 1)
			continue;
		printf("run %u\n", i);
		ott_play(i);
		printf("calls %lu\n", ott_calls);
	}
	return 0;
}
