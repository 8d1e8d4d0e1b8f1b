extension SongLibrary.Page {
    static let lightlyRow = Self(
        id: "lightly-row",
        text: """
            title: Lightly Row
            composer: Traditional, German
            year: 1829
            source: The tune of Alles neu macht der Mai and of Hänschen klein, of the early 19th century. Nobody has a right in it.
            meter: 4/4
            tempo: 104
            repeat: 2

            | G4 E4 E4/2 | F4 D4 D4/2 | C4 D4 E4 F4 | G4 G4 G4/2 |
            | G4 E4 E4/2 | F4 D4 D4/2 | C4 E4 G4 G4 | E4/1 |
            | D4 D4 D4 D4 | D4 E4 F4/2 | E4 E4 E4 E4 | E4 F4 G4/2 |
            | G4 E4 E4/2 | F4 D4 D4/2 | C4 E4 G4 G4 | C4/1 |
            """)
}
