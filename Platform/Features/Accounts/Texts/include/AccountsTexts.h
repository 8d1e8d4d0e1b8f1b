#include <CEmbeddedText.h>

struct EmbeddedText accountsSentences(void);
