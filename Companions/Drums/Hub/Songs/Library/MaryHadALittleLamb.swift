extension SongLibrary.Page {
    static let maryHadALittleLamb = Self(
        id: "mary-had-a-little-lamb",
        text: """
            title: Mary Had a Little Lamb
            composer: Traditional, American
            year: 1868
            source: Words by Sarah Josepha Hale of 1830; sung to this tune since about 1868. Hale died in 1879.
            meter: 4/4
            tempo: 100
            repeat: 3

            | E4 D4 C4 D4 | E4 E4 E4/2 | D4 D4 D4/2 | E4 G4 G4/2 |
            | E4 D4 C4 D4 | E4 E4 E4 E4 | D4 D4 E4 D4 | C4/1 |
            """)
}
