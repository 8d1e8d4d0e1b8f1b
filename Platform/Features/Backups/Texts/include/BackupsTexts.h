#include <CEmbeddedText.h>

struct EmbeddedText backupsSentences(void);
