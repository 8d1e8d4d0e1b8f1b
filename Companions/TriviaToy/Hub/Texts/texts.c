#include "TriviaToyTexts.h"

// Bytes that the compiler copies as they are: an array of numbers in Swift took it half a minute a file.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char triviaToySentences_bytes[] = {
#embed "../Localizable.xcstrings"
};
EMBEDDED_TEXT(triviaToySentences)

static const unsigned char animalsFacts_bytes[] = {
#embed "../Facts/Pack/animals.jsonl"
};
EMBEDDED_TEXT(animalsFacts)

static const unsigned char bodyFacts_bytes[] = {
#embed "../Facts/Pack/body.jsonl"
};
EMBEDDED_TEXT(bodyFacts)

static const unsigned char foodFacts_bytes[] = {
#embed "../Facts/Pack/food.jsonl"
};
EMBEDDED_TEXT(foodFacts)

static const unsigned char geographyFacts_bytes[] = {
#embed "../Facts/Pack/geography.jsonl"
};
EMBEDDED_TEXT(geographyFacts)

static const unsigned char historyFacts_bytes[] = {
#embed "../Facts/Pack/history.jsonl"
};
EMBEDDED_TEXT(historyFacts)

static const unsigned char inventionsFacts_bytes[] = {
#embed "../Facts/Pack/inventions.jsonl"
};
EMBEDDED_TEXT(inventionsFacts)

static const unsigned char kitchenChemistryFacts_bytes[] = {
#embed "../Facts/Pack/kitchen-chemistry.jsonl"
};
EMBEDDED_TEXT(kitchenChemistryFacts)

static const unsigned char languagesFacts_bytes[] = {
#embed "../Facts/Pack/languages.jsonl"
};
EMBEDDED_TEXT(languagesFacts)

static const unsigned char mathematicsFacts_bytes[] = {
#embed "../Facts/Pack/mathematics.jsonl"
};
EMBEDDED_TEXT(mathematicsFacts)

static const unsigned char musicFacts_bytes[] = {
#embed "../Facts/Pack/music.jsonl"
};
EMBEDDED_TEXT(musicFacts)

static const unsigned char oceansFacts_bytes[] = {
#embed "../Facts/Pack/oceans.jsonl"
};
EMBEDDED_TEXT(oceansFacts)

static const unsigned char physicsFacts_bytes[] = {
#embed "../Facts/Pack/physics.jsonl"
};
EMBEDDED_TEXT(physicsFacts)

static const unsigned char plantsFacts_bytes[] = {
#embed "../Facts/Pack/plants.jsonl"
};
EMBEDDED_TEXT(plantsFacts)

static const unsigned char spaceFacts_bytes[] = {
#embed "../Facts/Pack/space.jsonl"
};
EMBEDDED_TEXT(spaceFacts)

static const unsigned char sportsFacts_bytes[] = {
#embed "../Facts/Pack/sports.jsonl"
};
EMBEDDED_TEXT(sportsFacts)

static const unsigned char weatherFacts_bytes[] = {
#embed "../Facts/Pack/weather.jsonl"
};
EMBEDDED_TEXT(weatherFacts)
