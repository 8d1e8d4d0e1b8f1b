// Sets the clock on the wall of one program, and no other clock: preloaded, it begins at the second since 1970 that the
// environment says in WALL_CLOCK. (Debian's faketime also turns the kernel's timers, after which a Swift program that
// sleeps does not wake.)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*real)(clockid_t, struct timespec *);
static time_t offset;

__attribute__((constructor)) static void begin(void) {
    struct timespec now;
    real = dlsym(RTLD_NEXT, "clock_gettime");
    const char *text = getenv("WALL_CLOCK");
    if (text && real(CLOCK_REALTIME, &now) == 0) offset = atoll(text) - now.tv_sec;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += offset;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec shown;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &shown);
    now->tv_sec = shown.tv_sec;
    now->tv_usec = shown.tv_nsec / 1000;
    return result;
}

time_t time(time_t *now) {
    struct timespec shown;
    clock_gettime(CLOCK_REALTIME, &shown);
    if (now) *now = shown.tv_sec;
    return shown.tv_sec;
}
