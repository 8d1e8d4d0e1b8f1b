#include "CEmbeddedText.h"
