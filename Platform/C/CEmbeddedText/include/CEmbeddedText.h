/// A text that is part of the executable: UTF-8, and no NUL at its end.
struct EmbeddedText {
    const unsigned char *_Nonnull bytes;
    long count;
};

/// Defines the function that answers with the text whose bytes stand in the array `NAME_bytes`.
#define EMBEDDED_TEXT(NAME)                                               \
    struct EmbeddedText NAME(void) {                                      \
        return (struct EmbeddedText){NAME##_bytes, sizeof NAME##_bytes};  \
    }
