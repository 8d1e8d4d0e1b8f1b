#include <CEmbeddedText.h>

struct EmbeddedText pushSentences(void);
