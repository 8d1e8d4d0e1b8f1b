extension SongLibrary.Page {
    static let jingleBells = Self(
        id: "jingle-bells",
        text: """
            title: Jingle Bells
            composer: James Lord Pierpont
            year: 1857
            source: Printed in 1857; the chorus as it came to be sung before 1900. Pierpont died in 1893.
            meter: 4/4
            tempo: 120
            repeat: 2

            | E4 E4 E4/2 | E4 E4 E4/2 | E4 G4 C4/4. D4/8 | E4/1 |
            | F4 F4 F4/4. F4/8 | F4 E4 E4 E4/8 E4/8 | E4 D4 D4 E4 | D4/2 G4/2 |
            | E4 E4 E4/2 | E4 E4 E4/2 | E4 G4 C4/4. D4/8 | E4/1 |
            | F4 F4 F4/4. F4/8 | F4 E4 E4 E4/8 E4/8 | G4 G4 F4 D4 | C4/1 |
            """)
}
