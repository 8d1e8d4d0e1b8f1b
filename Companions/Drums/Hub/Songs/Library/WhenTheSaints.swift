extension SongLibrary.Page {
    static let whenTheSaints = Self(
        id: "when-the-saints",
        text: """
            title: When the Saints Go Marching In
            composer: Traditional, American
            year: 1896
            source: A spiritual of the 19th century without a known author. Nobody has a right in it.
            meter: 4/4
            tempo: 132
            repeat: 2

            C4 E4 F4 |
            | G4/1~ | G4 C4 E4 F4 | G4/1~ | G4 C4 E4 F4 |
            | G4/2 E4/2 | C4/2 E4/2 | D4/1~ | D4 E4 E4 D4 |
            | C4/2. C4 | E4/2 G4 G4 | G4 F4/2.~ | F4/2 E4 F4 |
            | G4/2 E4/2 | C4/2 D4/2 | C4/1~ | C4 |
            """)
}
