#include "FirmwareTexts.h"

// Bytes that the compiler copies as they are: an array of numbers in Swift took it half a minute a file.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char firmwareSentences_bytes[] = {
#embed "../Localizable.xcstrings"
};
EMBEDDED_TEXT(firmwareSentences)
