#include "DrumsTexts.h"

// Bytes that the compiler copies as they are: an array of numbers in Swift took it half a minute a file.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char drumsSentences_bytes[] = {
#embed "../Localizable.xcstrings"
};
EMBEDDED_TEXT(drumsSentences)

static const unsigned char auClairDeLaLuneSong_bytes[] = {
#embed "../Songs/Library/au-clair-de-la-lune.txt"
};
EMBEDDED_TEXT(auClairDeLaLuneSong)

static const unsigned char auldLangSyneSong_bytes[] = {
#embed "../Songs/Library/auld-lang-syne.txt"
};
EMBEDDED_TEXT(auldLangSyneSong)

static const unsigned char brahmsLullabySong_bytes[] = {
#embed "../Songs/Library/brahms-lullaby.txt"
};
EMBEDDED_TEXT(brahmsLullabySong)

static const unsigned char frereJacquesSong_bytes[] = {
#embed "../Songs/Library/frere-jacques.txt"
};
EMBEDDED_TEXT(frereJacquesSong)

static const unsigned char greensleevesSong_bytes[] = {
#embed "../Songs/Library/greensleeves.txt"
};
EMBEDDED_TEXT(greensleevesSong)

static const unsigned char hotCrossBunsSong_bytes[] = {
#embed "../Songs/Library/hot-cross-buns.txt"
};
EMBEDDED_TEXT(hotCrossBunsSong)

static const unsigned char jingleBellsSong_bytes[] = {
#embed "../Songs/Library/jingle-bells.txt"
};
EMBEDDED_TEXT(jingleBellsSong)

static const unsigned char lightlyRowSong_bytes[] = {
#embed "../Songs/Library/lightly-row.txt"
};
EMBEDDED_TEXT(lightlyRowSong)

static const unsigned char londonBridgeSong_bytes[] = {
#embed "../Songs/Library/london-bridge.txt"
};
EMBEDDED_TEXT(londonBridgeSong)

static const unsigned char maryHadALittleLambSong_bytes[] = {
#embed "../Songs/Library/mary-had-a-little-lamb.txt"
};
EMBEDDED_TEXT(maryHadALittleLambSong)

static const unsigned char odeToJoySong_bytes[] = {
#embed "../Songs/Library/ode-to-joy.txt"
};
EMBEDDED_TEXT(odeToJoySong)

static const unsigned char ohSusannaSong_bytes[] = {
#embed "../Songs/Library/oh-susanna.txt"
};
EMBEDDED_TEXT(ohSusannaSong)

static const unsigned char rowYourBoatSong_bytes[] = {
#embed "../Songs/Library/row-your-boat.txt"
};
EMBEDDED_TEXT(rowYourBoatSong)

static const unsigned char silentNightSong_bytes[] = {
#embed "../Songs/Library/silent-night.txt"
};
EMBEDDED_TEXT(silentNightSong)

static const unsigned char twinkleTwinkleSong_bytes[] = {
#embed "../Songs/Library/twinkle-twinkle.txt"
};
EMBEDDED_TEXT(twinkleTwinkleSong)

static const unsigned char whenTheSaintsSong_bytes[] = {
#embed "../Songs/Library/when-the-saints.txt"
};
EMBEDDED_TEXT(whenTheSaintsSong)

static const unsigned char yankeeDoodleSong_bytes[] = {
#embed "../Songs/Library/yankee-doodle.txt"
};
EMBEDDED_TEXT(yankeeDoodleSong)
