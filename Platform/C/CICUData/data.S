// The data of Foundation's ICU, 34 MB, less what nobody misses: scripts/icu-data.sh makes the file of this build. Defined here
// it takes the place of the whole of it, which lies in a member of its own in the toolchain's archive. Where the file was not
// made, nothing is defined here and the whole is linked.
#if __has_include("../../../.build-icu/data.inc")
#include "../../../.build-icu/data.inc"
#endif
#ifdef __linux__
.section .note.GNU-stack, "", %progbits
#endif
