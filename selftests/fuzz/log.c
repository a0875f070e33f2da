// SPDX-License-Identifier: GPL-2.0-only
/*
 * The log of the steps, see log.h.  Each thread has a ring of lines:
 *
 *	" ORDER THREAD NUMBER MARK MILLISECONDS STEP"
 *
 * ORDER is the number of steps of all threads that began before.  MARK is ">" for a step that began,
 * "+" for a step that the kernel accepted, and "-" for a step that it refused.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selftests/fuzz/log.h"

/* Longer data is cut */
#define LINE	512
/* Columns of a time */
#define TIME_LEN	6

static volatile char *rings;
static atomic_uint order;
static size_t ends[256];	/* per thread, modulo LOG_RING */
static size_t marks[256];

static bool make_long_enough(int fd, off_t size)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_size >= size || !ftruncate(fd, size));
}

/**
 * log_open() - open the log
 * @path: a new file, or the memory of a device that is large enough
 * @threads: number of threads
 *
 * Return: false if the file cannot be mapped.
 */
bool log_open(const char *path, unsigned int threads)
{
	size_t size = (size_t)threads * LOG_RING;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *map = MAP_FAILED;

	if (fd < 0)
		return false;
	if (make_long_enough(fd, size))
		map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	rings = map;
	return true;
}

/**
 * log_begin() - log that a step begins
 * @thread: the thread
 * @nr: number of the step
 * @s: the step
 */
void log_begin(unsigned int thread, unsigned int nr, const struct step *s)
{
	char line[LINE];
	struct text t = text_start(line, sizeof(line) - 1);
	volatile char *ring = rings + (size_t)thread * LOG_RING;
	size_t mark, i;

	text_add(&t, " %u %u %u ", atomic_fetch_add(&order, 1), thread, nr);
	mark = t.len;
	text_add(&t, "> %*s ", TIME_LEN, "-");
	step_print(s, &t);
	line[t.len++] = '\n';
	marks[thread] = (ends[thread] + mark) % LOG_RING;
	for (i = 0; i < t.len; i++)
		ring[(ends[thread] + i) % LOG_RING] = line[i];
	ends[thread] = (ends[thread] + t.len) % LOG_RING;
}

/**
 * log_end() - log that the last step of a thread ended
 * @thread: the thread
 * @is_done: whether the kernel accepted the step
 * @seconds: the duration of the step
 */
void log_end(unsigned int thread, bool is_done, double seconds)
{
	volatile char *ring = rings + (size_t)thread * LOG_RING;
	char mark[TIME_LEN + 3];
	size_t i;

	snprintf(mark, sizeof(mark), "%c %*u", is_done ? '+' : '-', TIME_LEN,
		 (unsigned int)(seconds * 1000) % 1000000);
	for (i = 0; mark[i]; i++)
		ring[(marks[thread] + i) % LOG_RING] = mark[i];
}
