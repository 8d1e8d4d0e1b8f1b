#include <CEmbeddedText.h>

struct EmbeddedText bluetoothSentences(void);
