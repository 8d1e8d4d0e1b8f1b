#include <CEmbeddedText.h>

struct EmbeddedText devicesSentences(void);
