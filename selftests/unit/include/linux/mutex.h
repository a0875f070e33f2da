/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _UNIT_MUTEX_H
#define _UNIT_MUTEX_H

#include <pthread.h>

#include <linux/public.h>

#ifdef UNIT_EXPLORE
#define DEFINE_MUTEX(name)	bool name
#define mutex_lock(mutex)	explore_lock(mutex)
#define mutex_unlock(mutex)	explore_unlock(mutex)
#else
#define DEFINE_MUTEX(name)	pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define mutex_lock(mutex)	pthread_mutex_lock(mutex)
#define mutex_unlock(mutex)	pthread_mutex_unlock(mutex)
#endif

#endif /* _UNIT_MUTEX_H */
