#include <CEmbeddedText.h>

struct EmbeddedText firmwareSentences(void);
