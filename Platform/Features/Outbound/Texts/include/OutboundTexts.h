#include <CEmbeddedText.h>

struct EmbeddedText outboundSentences(void);
