#include <CEmbeddedText.h>

struct EmbeddedText hubServerSentences(void);
