/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call of ksym(name) is a call of objtrace_name().  Each program defines the functions that it
 * calls.
 */
#define DECLARE_STATIC_CALL(name, func)	extern func name
#define static_call(name)		name
