#include "BuildCommit.h"

// A section of its own, which scripts/deb.sh writes to in the linked executable: a commit compiles nothing anew, and what
// was tested is what is packaged. It stays 64 bytes long.
#ifdef __APPLE__
__attribute__((section("__TEXT,tandem_commit")))
#else
__attribute__((section("tandem_commit")))
#endif
static const char commit[64] = "development";

const char *tandem_build_commit(void) { return commit; }
