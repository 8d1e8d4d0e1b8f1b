extension SongLibrary.Page {
    static let brahmsLullaby = Self(
        id: "brahms-lullaby",
        text: """
            title: Lullaby
            composer: Johannes Brahms
            year: 1868
            source: Opus 49, number 4, printed in 1868. Brahms died in 1897.
            meter: 3/4
            tempo: 84
            repeat: 2

            E4/8 E4/8 |
            | G4/4. E4/8 E4 | G4/2 E4/8 G4/8 | C5 B4/4. A4/8 | A4 G4 D4/8 E4/8 |
            | F4 D4 D4/8 E4/8 | F4/2 D4/8 F4/8 | B4/8 A4/8 G4 B4 | C5/2 C4/8 C4/8 |
            | C5/2 A4/8 F4/8 | G4/2 E4/8 C4/8 | F4 G4 A4 | G4/2 C4/8 C4/8 |
            | C5/2 A4/8 F4/8 | G4/2 E4/8 C4/8 | F4 E4 D4 | C4/2 |
            """)
}
