// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performs steps, see perform.h.  Files are opened without blocking, so that no step waits for
 * long.
 */
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "selftests/fuzz/command.h"
#include "selftests/fuzz/perform.h"

#define PAGE		4096
#define ALWAYS		(O_NONBLOCK | O_CLOEXEC)
#define FILE_MAX	65536
/* Arming all functions takes seconds, so a new objtrace gets this list */
#define FILTER		"objtrace/set_filter"
#define FEW_FUNCTIONS	"ott_* kfree kmem_cache_free"
/* A load that takes so long probably waits; the debug kernel needs a few seconds */
#define LOAD_SECONDS	30

/* Several threads may use a file at once, but no thread closes it meanwhile */
static struct slot {
	pthread_rwlock_t lock;
	int fd;
	bool pins;	/* the file keeps a module loaded */
} slots[STEP_SLOTS];

/* A step holds it for writing to run alone: see unload(), disable_ftrace() and removes() */
static pthread_rwlock_t alone;

static const char *module_dir;

/*
 * Linux 6.1 uses freed memory if a file of an event or of an instance is used after the event or
 * the instance was removed.  There, steps that remove run alone, and close the open files before.
 */
static bool closes_before_removal;

/*
 * Two defects of the kernel need a value of 0.
 * - A module is loaded: the kernel enables the calls in its functions all the same.  It leaves them
 *   when the tracer goes, and the calls end in freed memory (Linux 6.12).
 * - The last kprobe of a function goes: the kernel keeps a flag of the function, and warns when the
 *   last tracer goes (Linux 6.1 and 6.12).
 * So the step that writes 0 also writes 1.  No module is loaded between the two writes, and no other
 * step removes a kprobe at the entry of a function.
 */
#define FTRACE_ENABLED	"/proc/sys/kernel/ftrace_enabled"
static pthread_mutex_t ftrace_enabled_mutex = PTHREAD_MUTEX_INITIALIZER;

/*
 * If an instance goes with a hist trigger of a synthetic event, the kernel cannot remove the event
 * any more (Linux 6.1 to 7.x).  So the trigger is removed before the instance, and no thread sets a
 * hist trigger between the two.
 */
#define SYNTHETIC_TRIGGER	"events/synthetic/ott_made/trigger"
static pthread_mutex_t hist_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Some files take one word in a call, such as set_ftrace_filter */
static bool write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t ret = write(fd, data, len);

		if (ret <= 0)
			return false;
		data += ret;
		len -= ret;
	}
	return true;
}

static bool write_file(const char *path, int flags, const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | flags | ALWAYS);
	bool is_written;

	if (fd < 0)
		return false;
	is_written = write_all(fd, data, len);
	close(fd);
	return is_written;
}

static bool write_text(const char *path, int flags, const char *text)
{
	return write_file(path, flags, text, strlen(text));
}

/* Read in pieces of a page, as many programs do */
static size_t read_all(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t ret;

	while (len < size) {
		ret = read(fd, buf + len, size - len > PAGE ? PAGE : size - len);
		if (ret <= 0)
			break;
		len += ret;
	}
	return len;
}

static bool read_file(const struct step *s)
{
	int fd = open(s->path, O_RDONLY | ALWAYS);
	char *buf = malloc(s->number);
	bool is_read = fd >= 0 && buf && read_all(fd, buf, s->number) > 0;

	free(buf);
	if (fd >= 0)
		close(fd);
	return is_read;
}

/*
 * Slots
 */

/* Replace the file of a slot.  @pins: see struct slot */
static bool fill_slot(unsigned int nr, int fd, bool pins)
{
	struct slot *slot = &slots[nr];
	int old;

	pthread_rwlock_wrlock(&slot->lock);
	old = slot->fd;
	slot->fd = fd;
	slot->pins = pins;
	pthread_rwlock_unlock(&slot->lock);
	if (old >= 0)
		close(old);
	return old >= 0;
}

static bool hold(const struct step *s)
{
	int fd = open(s->path, s->flags | ALWAYS);

	if (fd >= 0)
		fill_slot(s->slot, fd, !(s->flags & O_PATH) && !strncmp(s->path, "objtrace/", 9));
	return fd >= 0;
}

/* A descriptor of O_PATH can open the file after the directory lost it */
static bool reopen(int held)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", held);
	fd = open(path, O_RDONLY | ALWAYS);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool splice_pages(int fd, size_t len)
{
	int ends[2];
	bool is_spliced;

	if (pipe(ends))
		return false;
	is_spliced = splice(fd, NULL, ends[1], NULL, len, SPLICE_F_NONBLOCK) > 0;
	close(ends[0]);
	close(ends[1]);
	return is_spliced;
}

static bool map_file(int fd)
{
	volatile char *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return false;
	(void)*page;
	munmap((void *)page, PAGE);
	return true;
}

static bool use_file(const struct step *s, int fd)
{
	char *buf;
	bool is_read;

	switch (s->op) {
	case STEP_HELD_WRITE:
		return write_all(fd, s->data, s->len);
	case STEP_HELD_READ:
		buf = malloc(s->number + 1);
		is_read = buf && read_all(fd, buf, s->number) > 0;
		free(buf);
		return is_read;
	case STEP_HELD_SEEK:
		return lseek(fd, s->number, SEEK_SET) >= 0;
	case STEP_HELD_SPLICE:
		return splice_pages(fd, s->number);
	case STEP_HELD_MAP:
		return map_file(fd);
	default:
		return reopen(fd);
	}
}

static bool use_slot(const struct step *s)
{
	struct slot *slot = &slots[s->slot];
	bool is_done;

	pthread_rwlock_rdlock(&slot->lock);
	is_done = slot->fd >= 0 && use_file(s, slot->fd);
	pthread_rwlock_unlock(&slot->lock);
	return is_done;
}

/*
 * Triggers, instances and modules
 */

/* The kernel appends " [STATE]" to some triggers, after a filter that can have brackets, too */
static bool remove_trigger(const char *path, char *line)
{
	char command[STEP_DATA];
	char *state = NULL, *pos;
	struct text t = text_start(command, sizeof(command));

	for (pos = strstr(line, " ["); pos; pos = strstr(pos + 1, " ["))
		state = pos;
	if (state)
		*state = '\0';
	text_add(&t, "!%s", line);
	return write_file(path, O_APPEND, command, t.len);
}

static bool clear_triggers(const char *path)
{
	int fd = open(path, O_RDONLY | ALWAYS);
	char *buf, *line, *rest;
	bool is_removed = false;

	if (fd < 0)
		return false;
	buf = malloc(FILE_MAX);
	if (buf) {
		buf[read_all(fd, buf, FILE_MAX - 1)] = '\0';
		for (line = strtok_r(buf, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
			if (*line != '#')
				is_removed |= remove_trigger(path, line);
	}
	free(buf);
	close(fd);
	return is_removed;
}

/* @instance: "" or a directory with its slash */
static void clear_instance(const char *instance)
{
	const struct fuzz_event *event;
	char path[128];
	unsigned int i;

	for (i = 0; (event = command_event_at(i)); i++) {
		snprintf(path, sizeof(path), "%sevents/%s/trigger", instance, event->path);
		clear_triggers(path);
	}
	snprintf(path, sizeof(path), "%sset_event", instance);
	write_text(path, O_TRUNC, "");
}

static void close_slots(bool all)
{
	unsigned int i;

	for (i = 0; i < STEP_SLOTS; i++)
		if (all || slots[i].pins)
			fill_slot(i, -1, false);
}

/*
 * If a module goes, the kernel keeps the commands of its functions at their addresses.  Another
 * function at such an address obeys the command.  Such a command has no name: only "*" removes it.
 * Commands with and without a count are different commands, and all steps have a count.
 */
static void remove_function_commands(void)
{
	static const char *const commands[] = { "!*:traceoff:0", "!*:snapshot:0", "!*:stacktrace:0" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		write_text("set_ftrace_filter", O_APPEND, commands[i]);
}

/* Let go of all that keeps the modules loaded, except for what other threads do afterwards */
static void let_modules_go(void)
{
	char path[32];
	unsigned int i;

	remove_function_commands();
	close_slots(closes_before_removal);
	clear_instance("");
	for (i = 0; i < STEP_INSTANCES; i++) {
		snprintf(path, sizeof(path), "instances/f%u/", i);
		if (!access(path, F_OK))
			clear_instance(path);
	}
	write_text("dynamic_events", O_TRUNC, "");
}

/* The tracer of a new instance would trace all functions */
static bool make_instance(const char *path)
{
	char filter[160];

	if (mkdir(path, 0750))
		return false;
	snprintf(filter, sizeof(filter), "%s/set_ftrace_filter", path);
	write_text(filter, O_TRUNC, STEP_TRACED);
	return true;
}

static bool remove_instance(const char *path)
{
	char trigger[192];
	bool is_removed;

	snprintf(trigger, sizeof(trigger), "%s/" SYNTHETIC_TRIGGER, path);
	pthread_mutex_lock(&hist_mutex);
	/* Truncation removes all hist triggers, and no others */
	write_text(trigger, O_TRUNC, "");
	is_removed = !rmdir(path);
	pthread_mutex_unlock(&hist_mutex);
	return is_removed;
}

/* If module init fails, it waits for the users of the module's events */
static void *release_users(void *is_inserted)
{
	struct timespec end;

	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &end);
		end.tv_sec += LOAD_SECONDS;
		if (!sem_clockwait(is_inserted, CLOCK_MONOTONIC, &end))
			return NULL;
		pthread_rwlock_wrlock(&alone);
		let_modules_go();
		pthread_rwlock_unlock(&alone);
	}
}

/* The random steps of other threads may not end all uses */
static bool insert_module(int fd, const char *params)
{
	pthread_t thread;
	sem_t is_inserted;
	bool is_loaded, is_watched;

	sem_init(&is_inserted, 0, 0);
	is_watched = !pthread_create(&thread, NULL, release_users, &is_inserted);
	is_loaded = !syscall(SYS_finit_module, fd, params, 0);
	sem_post(&is_inserted);
	if (is_watched)
		pthread_join(thread, NULL);
	sem_destroy(&is_inserted);
	return is_loaded;
}

/* Called without the lock alone, so that other steps can end a use of the module */
static bool load(const struct step *s)
{
	char path[256];
	bool is_loaded;
	int fd;

	snprintf(path, sizeof(path), "%s/%s.ko", module_dir, s->path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	pthread_mutex_lock(&ftrace_enabled_mutex);
	is_loaded = insert_module(fd, s->data);
	pthread_mutex_unlock(&ftrace_enabled_mutex);
	close(fd);
	if (is_loaded && !strcmp(s->path, "objtrace"))
		write_text(FILTER, O_TRUNC, FEW_FUNCTIONS);
	return is_loaded;
}

static bool delete_module(const char *name)
{
	return !syscall(SYS_delete_module, name, O_NONBLOCK);
}

/*
 * The kernel lets a module go although its event has a trigger of the kernel, and can warn then.  So
 * no thread sets such a trigger while objtrace_target goes.
 */
static bool unload(const struct step *s)
{
	bool is_target = !strcmp(s->path, "objtrace_target");
	bool is_unloaded = false;

	if (is_target || s->number) {
		pthread_rwlock_wrlock(&alone);
		let_modules_go();
		is_unloaded = is_target && delete_module(s->path);
		pthread_rwlock_unlock(&alone);
	}
	return is_target ? is_unloaded : delete_module(s->path);
}

/*
 * perf and other work
 */

static unsigned long long event_id(const char *event)
{
	char path[128], number[32];
	int fd;

	snprintf(path, sizeof(path), "events/objtrace/%s/id", event);
	fd = open(path, O_RDONLY | ALWAYS);
	if (fd < 0)
		return 0;
	number[read_all(fd, number, sizeof(number) - 1)] = '\0';
	close(fd);
	return strtoull(number, NULL, 10);
}

/* Open an event of objtrace on one CPU, or take a debug register */
static bool open_perf(const struct step *s)
{
	static const char *const events[] = {
		"objtrace_value", "objtrace_add", "objtrace_change", "objtrace_del",
	};
	static unsigned long watched;
	struct perf_event_attr attr = { .size = sizeof(attr), .sample_period = 1 };
	unsigned int cpu = s->number % 2;
	int fd;

	if (s->number < 4) {
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN;
		attr.config = event_id(events[s->number]);
		attr.exclude_callchain_user = 1;
	} else {
		attr.type = PERF_TYPE_BREAKPOINT;
		attr.bp_type = HW_BREAKPOINT_W;
		attr.bp_addr = (unsigned long)&watched;
		attr.bp_len = sizeof(watched);
		attr.pinned = 1;
	}
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		fill_slot(s->slot, fd, true);
	return fd >= 0;
}

static bool run_task(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return pid > 0 && waitpid(pid, NULL, 0) == pid;
}

static bool use_memory(unsigned int pages)
{
	char *memory = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	memset(memory, 1, (size_t)pages * PAGE);
	return !munmap(memory, (size_t)pages * PAGE);
}

/* The functions of objtrace change while ftrace is disabled */
static bool disable_ftrace(const struct step *s)
{
	bool is_disabled;

	/* A load may take long, see insert_module() */
	if (pthread_mutex_trylock(&ftrace_enabled_mutex))
		return false;
	pthread_rwlock_wrlock(&alone);
	is_disabled = write_text(FTRACE_ENABLED, 0, "0");
	write_file(FILTER, O_TRUNC, s->data, s->len);
	write_text(FTRACE_ENABLED, 0, "1");
	pthread_rwlock_unlock(&alone);
	pthread_mutex_unlock(&ftrace_enabled_mutex);
	return is_disabled;
}

static bool perform_beside_others(const struct step *s)
{
	switch (s->op) {
	case STEP_WRITE:
		return write_file(s->path, s->flags, s->data, s->len);
	case STEP_READ:
		return read_file(s);
	case STEP_OPEN:
		return hold(s);
	case STEP_CLOSE:
		return fill_slot(s->slot, -1, false);
	case STEP_MKDIR:
		return make_instance(s->path);
	case STEP_RMDIR:
		return remove_instance(s->path);
	case STEP_CLEAR:
		return clear_triggers(s->path);
	case STEP_PERF:
		return open_perf(s);
	case STEP_RENAME:
		return !prctl(PR_SET_NAME, s->data);
	case STEP_FORK:
		return run_task();
	case STEP_MAP:
		return use_memory(s->number);
	case STEP_PAUSE:
		return !usleep(s->number);
	default:
		return use_slot(s);
	}
}

/* Whether the step may set a hist trigger */
static bool sets_hist(const struct step *s)
{
	return (s->op == STEP_WRITE || s->op == STEP_HELD_WRITE) && strstr(s->data, "hist");
}

/* Whether other steps must not run, and no file may be open: see closes_before_removal */
static bool removes(const struct step *s)
{
	return closes_before_removal &&
	       (s->op == STEP_RMDIR || (s->op == STEP_WRITE && !strcmp(s->path, "dynamic_events")));
}

/**
 * perform() - perform a step
 * @s: the step
 *
 * Return: whether the kernel accepted it.
 */
bool perform(const struct step *s)
{
	bool is_done;

	if (s->op == STEP_LOAD)
		return load(s);
	if (s->op == STEP_UNLOAD)
		return unload(s);
	if (s->op == STEP_DISABLE_FTRACE)
		return disable_ftrace(s);
	if (removes(s))
		pthread_rwlock_wrlock(&alone);
	else
		pthread_rwlock_rdlock(&alone);
	if (removes(s))
		close_slots(true);
	if (sets_hist(s))
		pthread_mutex_lock(&hist_mutex);
	is_done = perform_beside_others(s);
	if (sets_hist(s))
		pthread_mutex_unlock(&hist_mutex);
	pthread_rwlock_unlock(&alone);
	return is_done;
}

static void reset_file(const struct step_reset *reset)
{
	const char *data = reset->data;
	char mask[20];

	if (!strcmp(data, STEP_ALL_CPUS)) {
		snprintf(mask, sizeof(mask), "%lx", ~0UL >> (64 - sysconf(_SC_NPROCESSORS_CONF)));
		data = mask;
	}
	write_text(reset->path, O_TRUNC, data);
}

static void reset_files(void)
{
	struct step_reset reset;
	unsigned int i;

	for (i = 0; step_reset(i, &reset); i++)
		reset_file(&reset);
}

/**
 * perform_start() - prepare the kernel for steps
 * @tracefs: the directory where tracefs is mounted
 * @modules: the directory with the modules
 */
void perform_start(const char *tracefs, const char *modules)
{
	pthread_rwlockattr_t attr;
	struct utsname name;
	unsigned int i;

	closes_before_removal = !uname(&name) && !strncmp(name.release, "6.1.", 4);
	/* By default, a stream of readers keeps a writer waiting */
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&alone, &attr);
	if (chdir(tracefs)) {
		perror(tracefs);
		exit(2);
	}
	module_dir = modules;
	for (i = 0; i < STEP_SLOTS; i++) {
		pthread_rwlock_init(&slots[i].lock, &attr);
		slots[i].fd = -1;
	}
	reset_files();
}

/** perform_end() - close all files, and undo changes of the tracing state but for event triggers */
void perform_end(void)
{
	char path[32];
	unsigned int i;

	close_slots(true);
	for (i = 0; i < STEP_INSTANCES; i++) {
		snprintf(path, sizeof(path), "instances/f%u", i);
		remove_instance(path);
	}
	remove_function_commands();
	reset_files();
}
