#include <CEmbeddedText.h>

struct EmbeddedText motionLabSentences(void);
