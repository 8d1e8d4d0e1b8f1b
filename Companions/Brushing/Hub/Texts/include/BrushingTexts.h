#include <CEmbeddedText.h>

struct EmbeddedText brushingSentences(void);
