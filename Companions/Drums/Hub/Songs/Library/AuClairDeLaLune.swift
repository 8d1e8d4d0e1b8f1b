extension SongLibrary.Page {
    static let auClairDeLaLune = Self(
        id: "au-clair-de-la-lune",
        text: """
            title: Au clair de la lune
            composer: Traditional, French
            year: 1780
            source: A song of the 18th century, about 1780, without a known author. Nobody has a right in it.
            meter: 4/4
            tempo: 100
            repeat: 2

            | C4 C4 C4 D4 | E4/2 D4/2 | C4 E4 D4 D4 | C4/1 |
            | C4 C4 C4 D4 | E4/2 D4/2 | C4 E4 D4 D4 | C4/1 |
            | D4 D4 D4 D4 | A3/2 A3/2 | D4 C4 B3 A3 | G3/1 |
            | C4 C4 C4 D4 | E4/2 D4/2 | C4 E4 D4 D4 | C4/1 |
            """)
}
