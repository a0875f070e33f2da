# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# `objtrace list'

# Functions
answers 0 list <<'END'
void atomic_add(int nr, atomic_t *v)
void ctor(void (*init)(struct node *), int nr)
void either_set(union either *either, struct opaque *opaque)
void extra_add(struct extra *extra, struct node *node) [extra]
void node_add(struct node *node, const char *name)
struct node *node_find(long unsigned int key)
void node_format(const struct node *node, const char *format, ...)
int node_put(const struct node *node)
void node_put(struct node *node) [extra]
END
answers 0 list '*_put' <<'END'
int node_put(const struct node *node)
void node_put(struct node *node) [extra]
END
answers 0 list node_find <<'END'
struct node *node_find(long unsigned int key)
END
answers 2 list node_ad <<'END'
objtrace: the kernel has no such function; did you mean 'node_add'?
  node_ad
  ^
END
answers 2 list not_traced <<'END'
objtrace: ftrace cannot trace this function
  not_traced
  ^
END
answers 2 list twice <<'END'
objtrace: several functions have this name, so no probe can choose one
  twice
  ^
END
answers 2 list without_btf <<'END'
objtrace: the BTF does not have this function, so its arguments are unknown
  without_btf
  ^
END
for name in only_numbers behind_pair eighth; do
	answers 2 list "$name" <<-END
		objtrace: the function has no pointer in a register, and returns none
		  $name
		  ^
	END
done
answers 2 list 'zz*' <<'END'
objtrace: no function that can be followed has such a name
  zz*
  ^
END

# Functions that receive a struct
answers 0 list --taking node <<'END'
void extra_add(struct extra *extra, struct node *node) [extra]
void node_add(struct node *node, const char *name)
void node_format(const struct node *node, const char *format, ...)
int node_put(const struct node *node)
void node_put(struct node *node) [extra]
END
answers 0 list --taking node 'node_[a-f]*' <<'END'
void node_add(struct node *node, const char *name)
void node_format(const struct node *node, const char *format, ...)
END
answers 0 list --taking=atomic_t <<'END'
void atomic_add(int nr, atomic_t *v)
END
answers 0 list --taking either <<'END'
void either_set(union either *either, struct opaque *opaque)
END
answers 2 list --taking nodes <<'END'
objtrace: the kernel and its modules have no such struct; did you mean 'node'?
  nodes
  ^
END
answers 2 list --taking pair <<'END'
objtrace: no function has a pointer to this struct in a register
  pair
  ^
END
answers 2 list --taking either 'node*' <<'END'
objtrace: no function of this pattern has a pointer to this struct in a register
  either
  ^
END
answers 2 list --taking node node_find <<'END'
objtrace: the function has no pointer to this struct in a register
  node_find
  ^
END

# Members
answers 0 list --struct node <<'END'
       0        8  struct node *const next
       8        8  void *data
       8        4  int first
      12        4  int second
    16:0      0:1  unsigned int is_old
    16:1      0:5  unsigned int colour
      20        4  enum colour shade
      24        4  atomic_t count
      28        8  const char name[8]
      40        8  int (*open)(struct node *, volatile const int *, ...)
      48       16  struct opaque *(*table[2])(void)
      64        8  const char *const *volatile words
      72        8  union {...} value
END
answers 0 list --struct either <<'END'
       0        4  int number
       0        1  char letter
END
answers 0 list --struct atomic_t <<'END'
       0        4  int counter
END
answers 0 list --struct extra 'o*' <<'END'
       8        8  struct opaque *opaque
END
answers 2 list --struct extr <<'END'
objtrace: the kernel and its modules have no such struct; did you mean 'extra'?
  extr
  ^
END
answers 2 list --struct node frist <<'END'
objtrace: the struct has no such member; did you mean 'first'?
  frist
  ^
END
answers 2 list --struct node 'q*' <<'END'
objtrace: no member of the struct has such a name
  q*
  ^
END

# Events
answers 0 list --events <<'END'
node:node_added.nodeaddr struct node *
node:node_added.pair struct pair *
node:node_added.caller void *
node:node_freed.e union either *
node:node_freed.node const char *
node:node_freed.parent const struct node *
node:node_freed.nodes void *
END
for pattern in node_added '*_added' 'n*:*_added'; do
	answers 0 list --events "$pattern" <<-'END'
		node:node_added.nodeaddr struct node *
		node:node_added.pair struct pair *
		node:node_added.caller void *
	END
done
answers 2 list --events nod:node_added <<'END'
objtrace: there is no such system of events; did you mean 'node'?
  nod:node_added
  ^
END
answers 2 list --events node:node_add <<'END'
objtrace: there is no such event; did you mean 'node_added'?
  node:node_add
       ^
END
answers 2 list --events node_free <<'END'
objtrace: there is no such event; did you mean 'node_freed'?
  node_free
  ^
END
answers 2 list --events tick <<'END'
objtrace: no field of the event is a pointer
  tick
  ^
END
answers 2 list --events clock:tick <<'END'
objtrace: no field of the event is a pointer
  clock:tick
  ^
END
for pattern in syscalls syscalls:sys_enter_read 'syscalls:*'; do
	answers 2 list --events "$pattern" <<-END
		objtrace: system calls receive pointers of user space, which cannot be followed
		  $pattern
		  ^
	END
done
answers 2 list --events 'q*' <<'END'
objtrace: no event with a pointer has such a name
  q*
  ^
END

# Mistakes in the options
answers 2 list a b <<'END'
objtrace: list takes one PATTERN
  b
  ^
END
answers 2 list '' <<'END'
objtrace: PATTERN is empty; without it, all names are listed
END
answers 2 list --evens <<'END'
objtrace: list has no such option; did you mean '--events'?
  --evens
    ^
END
answers 2 list -x <<'END'
objtrace: list has no such option; `objtrace list --help' lists them
  -x
  ^
END
answers 2 list --struct <<'END'
objtrace: the option needs an argument
  --struct
          ^
END
answers 2 list --events=1 <<'END'
objtrace: the option takes no argument
  --events=1
          ^
END
answers 2 list --help=1 <<'END'
objtrace: the option takes no argument
  --help=1
        ^
END
answers 2 list -qh <<'END'
objtrace: list has no such option; `objtrace list --help' lists them
  -qh
  ^
END
answers 2 list --struct a --events <<'END'
objtrace: --struct and --events exclude each other
END
answers 2 list --taking a --struct b <<'END'
objtrace: --struct and --taking exclude each other
END
answers 2 list --taking a --events <<'END'
objtrace: --taking and --events exclude each other
END

# A kernel without parts
mv "$ROOT/sys/kernel/tracing" "$WORK/tracing"
answers 1 list <<'END'
objtrace: the functions of ftrace cannot be read: No such file or directory; `objtrace doctor' shows the reason
END
answers 1 list --events <<'END'
objtrace: the events of tracefs cannot be read; `objtrace doctor' shows the reason
END
mv "$WORK/tracing" "$ROOT/sys/kernel/tracing"
mv "$ROOT/sys/kernel/btf" "$WORK/btf"
answers 1 list --struct node <<'END'
objtrace: the kernel has no BTF: it needs CONFIG_DEBUG_INFO_BTF
END
mv "$WORK/btf" "$ROOT/sys/kernel/btf"
