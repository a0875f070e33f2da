/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-cmd, which writes the records of a session to a file.
 */
#ifndef _TOOLS_OBJTRACE_RECORDER_H
#define _TOOLS_OBJTRACE_RECORDER_H

#include <sys/types.h>

#include <tracefs.h>

struct context_session;

/**
 * struct recorder - a process that records
 * @pid: trace-cmd, or 0
 * @complaints: the end of a pipe that has the messages of trace-cmd
 * @directory: the working directory of trace-cmd
 */
struct recorder {
	pid_t	pid;
	int	complaints;
	char	directory[32];
};

int recorder_start(struct recorder *r, struct tracefs_instance *instance,
		   const struct context_session *context, const char *file);
int recorder_stop(struct recorder *r);

#endif /* _TOOLS_OBJTRACE_RECORDER_H */
