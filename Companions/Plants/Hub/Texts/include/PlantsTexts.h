#include <CEmbeddedText.h>

struct EmbeddedText plantsSentences(void);
struct EmbeddedText plantKinds(void);
