extension SongLibrary.Page {
    static let frereJacques = Self(
        id: "frere-jacques",
        text: """
            title: Frère Jacques
            composer: Traditional, French
            year: 1811
            source: A round of the 18th century, in print since about 1811 without a name. Nobody has a right in it.
            meter: 4/4
            tempo: 104
            repeat: 3

            | C4 D4 E4 C4 | C4 D4 E4 C4 | E4 F4 G4/2 | E4 F4 G4/2 |
            | G4/8 A4/8 G4/8 F4/8 E4 C4 | G4/8 A4/8 G4/8 F4/8 E4 C4 | C4 G3 C4/2 | C4 G3 C4/2 |
            """)
}
