#include <CEmbeddedText.h>

struct EmbeddedText archiveSentences(void);
