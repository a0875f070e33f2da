// SPDX-License-Identifier: GPL-2.0-only
/*
 * For the kernel, each thread of a process is a task with a number of its own.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tools/objtrace/tasks.h"

/* The inodes of the first namespaces: PID_NS_INIT_INO and TIME_NS_INIT_INO of linux/nsfs.h */
#define FIRST_PID_NAMESPACE	0xEFFFFFFCU
#define FIRST_TIME_NAMESPACE	0xEFFFFFFAU

/* A kernel without such namespaces has no file */
static bool is_first_namespace(const char *path, ino_t first)
{
	struct stat namespace;

	return stat(path, &namespace) || namespace.st_ino == first;
}

/**
 * tasks_have_kernel_numbers() - are the numbers of tasks those of the kernel?
 *
 * The tasks of a container can have numbers of their own.  Filters and set_event_pid compare with the
 * numbers of the kernel.
 *
 * Return: true or false.
 */
bool tasks_have_kernel_numbers(void)
{
	return is_first_namespace("/proc/self/ns/pid", FIRST_PID_NAMESPACE);
}

/**
 * tasks_have_kernel_times() - are the times of tasks those of the kernel?
 *
 * The clocks of a container can have offsets.  The names of sessions have times when tasks were
 * started.
 *
 * Return: true or false.
 */
bool tasks_have_kernel_times(void)
{
	return is_first_namespace("/proc/self/ns/time", FIRST_TIME_NAMESPACE);
}

/* The children of one task of a process */
static long write_children(long pid, long tid, FILE *out)
{
	char path[60];
	FILE *children;
	long child, sum = 0;

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", pid, tid);
	children = fopen(path, "r");
	if (!children)
		return 0;
	while (fscanf(children, "%ld", &child) == 1)
		sum += tasks_write(child, out);
	fclose(children);
	return sum;
}

/**
 * tasks_write() - write the numbers of all tasks of a process and of its children
 * @pid: the process, or one of its tasks
 * @out: each number is followed by a blank
 *
 * The children are only found if the kernel has CONFIG_PROC_CHILDREN.
 *
 * Return: the number of tasks; 0 if there is no such process.
 */
long tasks_write(long pid, FILE *out)
{
	struct dirent *entry;
	char path[40];
	DIR *tasks;
	long tid, sum = 0;

	snprintf(path, sizeof(path), "/proc/%ld/task", pid);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		tid = atol(entry->d_name);
		fprintf(out, "%ld ", tid);
		sum += 1 + write_children(pid, tid, out);
	}
	if (tasks)
		closedir(tasks);
	return sum;
}
