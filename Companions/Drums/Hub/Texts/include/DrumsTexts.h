#include <CEmbeddedText.h>

struct EmbeddedText drumsSentences(void);
struct EmbeddedText auClairDeLaLuneSong(void);
struct EmbeddedText auldLangSyneSong(void);
struct EmbeddedText brahmsLullabySong(void);
struct EmbeddedText frereJacquesSong(void);
struct EmbeddedText greensleevesSong(void);
struct EmbeddedText hotCrossBunsSong(void);
struct EmbeddedText jingleBellsSong(void);
struct EmbeddedText lightlyRowSong(void);
struct EmbeddedText londonBridgeSong(void);
struct EmbeddedText maryHadALittleLambSong(void);
struct EmbeddedText odeToJoySong(void);
struct EmbeddedText ohSusannaSong(void);
struct EmbeddedText rowYourBoatSong(void);
struct EmbeddedText silentNightSong(void);
struct EmbeddedText twinkleTwinkleSong(void);
struct EmbeddedText whenTheSaintsSong(void);
struct EmbeddedText yankeeDoodleSong(void);
