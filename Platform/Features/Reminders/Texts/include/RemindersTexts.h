#include <CEmbeddedText.h>

struct EmbeddedText remindersSentences(void);
