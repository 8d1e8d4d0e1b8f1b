// Makes the writes of a database fail, as those of a dying disk do: preloaded, one in so many of pwrite, ftruncate, fsync and
// fdatasync on a file of SQLite's has an error in its place. How many, and which error, are two numbers in the file that
// FAILING_WRITES names, which another program may change at any time; zero is none.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static const volatile uint32_t *wanted;  // one in how many, errno

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAILING_WRITES");
    int file = path ? open(path, O_RDONLY) : -1;
    if (file < 0) return;
    void *found = mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) wanted = found;
    close(file);
}

static int is_of_sqlite(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, ".sqlite") != NULL;
}

static int fails(int file) {
    static __thread unsigned seed;
    uint32_t one_in = wanted ? wanted[0] : 0;
    if (!one_in) return 0;
    if (!seed) seed = (unsigned)getpid() ^ (unsigned)(uintptr_t)&seed;
    if (rand_r(&seed) % one_in || !is_of_sqlite(file)) return 0;
    errno = (int)wanted[1];
    return 1;
}

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    return fails(file) ? -1 : real(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    return fails(file) ? -1 : real(file, bytes, count, offset);
}

int ftruncate(int file, off_t length) {
    REAL(ftruncate);
    return fails(file) ? -1 : real(file, length);
}

int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    return fails(file) ? -1 : real(file, length);
}

int fsync(int file) {
    REAL(fsync);
    return fails(file) ? -1 : real(file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    return fails(file) ? -1 : real(file);
}
