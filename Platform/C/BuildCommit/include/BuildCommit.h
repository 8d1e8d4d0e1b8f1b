#pragma once

/// The commit that the executable is made of, "commit 1a2b3c4d5e6f"; "development" in one that no package holds.
const char *_Nonnull tandem_build_commit(void);
