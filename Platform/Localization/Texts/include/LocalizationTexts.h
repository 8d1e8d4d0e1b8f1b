#include <CEmbeddedText.h>

struct EmbeddedText localizationSentences(void);
