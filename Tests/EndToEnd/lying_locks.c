// Locks as network disks have them: preloaded, flock and fcntl's locks are given to everybody (LOCKS=lie), or fail with ENOLCK
// (LOCKS=none), as where NFS is mounted with nolock, or its lock service does not run (flock(2), fcntl(2), nfs(5)). With
// FILE_SYSTEM the number of each disk by statfs(2) is another one (linux/magic.h).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>

static int is(const char *what) {
    const char *locks = getenv("LOCKS");
    return locks && strcmp(locks, what) == 0;
}

int flock(int file, int operation) {
    static int (*real)(int, int);
    if (!real) real = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
    if (is("lie")) return 0;
    if (is("none") && !(operation & LOCK_UN)) {
        errno = ENOLCK;
        return -1;
    }
    return real(file, operation);
}

static int number(struct statfs *status, int result) {
    const char *type = getenv("FILE_SYSTEM");
    if (result == 0 && type) status->f_type = strtol(type, NULL, 16);
    return result;
}

int statfs(const char *path, struct statfs *status) {
    static int (*real)(const char *, struct statfs *);
    if (!real) real = (int (*)(const char *, struct statfs *))dlsym(RTLD_NEXT, "statfs");
    return number(status, real(path, status));
}
