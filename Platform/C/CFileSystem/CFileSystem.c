#include "CFileSystem.h"

#if defined(__linux__)
#include <sys/vfs.h>

uint32_t tandem_file_system_number(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (uint32_t)status.f_type : 0;
}
#else
uint32_t tandem_file_system_number(const char *path) {
    (void)path;
    return 0;
}
#endif
