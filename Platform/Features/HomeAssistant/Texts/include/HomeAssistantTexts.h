#include <CEmbeddedText.h>

struct EmbeddedText homeAssistantSentences(void);
struct EmbeddedText homeAssistantDialects(void);
