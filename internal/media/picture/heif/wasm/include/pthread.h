/* libde265 is run by one thread: what it does with others does nothing here. */
#pragma once
#include <sys/types.h>
static inline int pthread_create(pthread_t *t, const void *a, void *(*f)(void *), void *p) { return 1; }
static inline int pthread_join(pthread_t t, void **r) { return 0; }
static inline int pthread_mutex_init(pthread_mutex_t *m, const void *a) { return 0; }
static inline int pthread_mutex_destroy(pthread_mutex_t *m) { return 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *m) { return 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *m) { return 0; }
static inline int pthread_cond_init(pthread_cond_t *c, const void *a) { return 0; }
static inline int pthread_cond_destroy(pthread_cond_t *c) { return 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *c) { return 0; }
static inline int pthread_cond_signal(pthread_cond_t *c) { return 0; }
static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return 0; }
