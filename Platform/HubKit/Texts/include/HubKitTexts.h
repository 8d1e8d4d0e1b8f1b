#include <CEmbeddedText.h>

struct EmbeddedText hubKitSentences(void);
