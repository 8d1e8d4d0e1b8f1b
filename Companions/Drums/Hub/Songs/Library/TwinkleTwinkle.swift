extension SongLibrary.Page {
    static let twinkleTwinkle = Self(
        id: "twinkle-twinkle",
        text: """
            title: Twinkle, Twinkle, Little Star
            composer: Traditional, French
            year: 1761
            source: The tune Ah! vous dirai-je, maman, in print since 1761 without a name. Nobody has a right in it.
            meter: 4/4
            tempo: 96
            repeat: 2

            | C4 C4 G4 G4 | A4 A4 G4/2 | F4 F4 E4 E4 | D4 D4 C4/2 |
            | G4 G4 F4 F4 | E4 E4 D4/2 | G4 G4 F4 F4 | E4 E4 D4/2 |
            | C4 C4 G4 G4 | A4 A4 G4/2 | F4 F4 E4 E4 | D4 D4 C4/2 |
            """)
}
