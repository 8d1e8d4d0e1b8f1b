#include <CEmbeddedText.h>

struct EmbeddedText passkeysSentences(void);
