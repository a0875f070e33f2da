/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call through ksym(name) is a call of objtrace_name(), which each program
 * provides as far as it is called.
 */
#define DECLARE_STATIC_CALL(name, func)	extern func name
#define static_call(name)		name
