/*
 * A wall clock that is wrong: preloaded into a server, it adds to the time of day as many microseconds as the file named
 * by SHIFTED_CLOCK says, in binary. The file is mapped, so that the clock can be stepped while the server runs. The
 * monotonic clock stays right, as it does on a machine whose clock is set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MICROS 1000000L

static const volatile int64_t nothing = 0;
static const volatile int64_t *shift = &nothing;

__attribute__((constructor)) static void map_shift(void) {
    const char *name = getenv("SHIFTED_CLOCK");
    int file = name == NULL ? -1 : open(name, O_RDONLY);
    if (file >= 0) {
        void *mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) {
            shift = mapped;
        }
        close(file);
    }
}

static void add_shift(struct timespec *at) {
    int64_t micros = *shift;
    at->tv_sec += micros / MICROS;
    at->tv_nsec += (micros % MICROS) * 1000;
    if (at->tv_nsec >= 1000 * MICROS) {
        at->tv_sec++;
        at->tv_nsec -= 1000 * MICROS;
    } else if (at->tv_nsec < 0) {
        at->tv_sec--;
        at->tv_nsec += 1000 * MICROS;
    }
}

/* The system call itself: looking up the next definition could ask for the time. */
int clock_gettime(clockid_t clock, struct timespec *at) {
    int result = (int) syscall(SYS_clock_gettime, clock, at);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        add_shift(at);
    }
    return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    struct timespec now;
    (void) zone;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at != NULL) {
        *at = now.tv_sec;
    }
    return now.tv_sec;
}
