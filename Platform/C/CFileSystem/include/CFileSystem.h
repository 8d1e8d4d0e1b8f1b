#ifndef TANDEM_FILE_SYSTEM_H
#define TANDEM_FILE_SYSTEM_H

#include <stdint.h>

// The number by which statfs(2) tells the type of the file system that holds a path, 32 bits; 0 where the system does not say.
uint32_t tandem_file_system_number(const char *path);

#endif
