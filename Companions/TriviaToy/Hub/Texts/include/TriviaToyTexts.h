#include <CEmbeddedText.h>

struct EmbeddedText triviaToySentences(void);
struct EmbeddedText animalsFacts(void);
struct EmbeddedText bodyFacts(void);
struct EmbeddedText foodFacts(void);
struct EmbeddedText geographyFacts(void);
struct EmbeddedText historyFacts(void);
struct EmbeddedText inventionsFacts(void);
struct EmbeddedText kitchenChemistryFacts(void);
struct EmbeddedText languagesFacts(void);
struct EmbeddedText mathematicsFacts(void);
struct EmbeddedText musicFacts(void);
struct EmbeddedText oceansFacts(void);
struct EmbeddedText physicsFacts(void);
struct EmbeddedText plantsFacts(void);
struct EmbeddedText spaceFacts(void);
struct EmbeddedText sportsFacts(void);
struct EmbeddedText weatherFacts(void);
