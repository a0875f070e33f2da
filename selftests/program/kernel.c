// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel for test.sh: its BTF has a type of each kind that `objtrace list' prints, and a
 * function for each reason not to list one.
 */
enum colour { RED, GREEN };

typedef struct {
	int counter;
} atomic_t;

struct opaque;

struct node {
	struct node *const next;
	union {
		void *data;
		struct {
			int first;
			int second;
		};
	};
	unsigned int is_old:1;
	unsigned int colour:5;
	enum colour shade;
	atomic_t count;
	const char name[8];
	int (*open)(struct node *node, const volatile int *flags, ...);
	struct opaque *(*table[2])(void);
	const char *const *volatile words;
	union {
		long all;
		short half;
	} value;
};

struct pair {
	long first;
	long second;
};

union either {
	int number;
	char letter;
};

void node_add(struct node *node, const char *name) { }
int node_put(const struct node *node) { return 0; }
struct node *node_find(unsigned long key) { return 0; }
void either_set(union either *either, struct opaque *opaque) { }
void atomic_add(int nr, atomic_t *v) { }
void node_format(const struct node *node, const char *format, ...) { }
void ctor(void (*init)(struct node *node), int nr) { }
void eighth(long a, long b, long c, long d, long e, long f, long g, long h, struct node *node) { }
void behind_pair(struct pair pair, struct node *node) { }
int only_numbers(int a, enum colour b) { return 0; }
void not_traced(struct node *node) { }
void twice(struct node *node) { }

/* The tracepoints */
int __traceiter_node_added(void *data, struct node *node, struct pair *pair, void *caller)
{
	return 0;
}

int __traceiter_node_freed(void *data, union either *e, struct node *node) { return 0; }
