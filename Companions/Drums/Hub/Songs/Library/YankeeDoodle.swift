extension SongLibrary.Page {
    static let yankeeDoodle = Self(
        id: "yankee-doodle",
        text: """
            title: Yankee Doodle
            composer: Traditional
            year: 1782
            source: In print since 1782 at the latest, without a name. Nobody has a right in it.
            meter: 4/4
            tempo: 120
            repeat: 2

            | C4 C4 D4 E4 | C4 E4 D4/2 | C4 C4 D4 E4 | C4/2 B3/2 |
            | C4 C4 D4 E4 | F4 E4 D4 C4 | B3 G3 A3 B3 | C4/2 C4/2 |
            | A3/4. B3/8 A3 G3 | A3 B3 C4/2 | G3/4. A3/8 G3 F3 | E3/2 G3/2 |
            | A3/4. B3/8 A3 G3 | A3 B3 C4 A3 | G3 C4 B3 D4 | C4/2 C4/2 |
            """)
}
