/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of records.
 */
#ifndef _OBJTRACE_TALLY_H
#define _OBJTRACE_TALLY_H

/**
 * enum objtrace_outcome - what became of a record
 * @OBJTRACE_WRITTEN: it is in the buffer
 * @OBJTRACE_LOST_PID: the instance does not trace this task: set_event_pid,
 *		       set_event_notrace_pid
 * @OBJTRACE_LOST_OFF: tracing was off: tracing_on
 * @OBJTRACE_LOST_FILTER: it did not pass the filter of our event
 * @OBJTRACE_LOST_DISABLED: our event is disabled for its triggers, or by one
 *			    (soft disabled)
 * @OBJTRACE_LOST_BUFFER: the buffer did not take it: it is full and does not overwrite,
 *			  its size is being changed, this CPU is not in tracing_cpumask
 * @OBJTRACE_NR_OUTCOMES: how many there are
 */
enum objtrace_outcome {
	OBJTRACE_WRITTEN,
	OBJTRACE_LOST_PID,
	OBJTRACE_LOST_OFF,
	OBJTRACE_LOST_FILTER,
	OBJTRACE_LOST_DISABLED,
	OBJTRACE_LOST_BUFFER,
	OBJTRACE_NR_OUTCOMES
};

#endif /* _OBJTRACE_TALLY_H */
