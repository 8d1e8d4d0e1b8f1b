extension SongLibrary.Page {
    static let ohSusanna = Self(
        id: "oh-susanna",
        text: """
            title: Oh! Susanna
            composer: Stephen Foster
            year: 1848
            source: Printed in 1848. Foster died in 1864.
            meter: 4/4
            tempo: 116

            C4/8 D4/8 |
            | E4 G4 G4/4. A4/8 | G4 E4 C4/4. D4/8 | E4 E4 D4 C4 | D4/2. C4/8 D4/8 |
            | E4 G4 G4/4. A4/8 | G4 E4 C4/4. D4/8 | E4 E4 D4 D4 | C4/2. C4/8 D4/8 |
            | E4 G4 G4/4. A4/8 | G4 E4 C4/4. D4/8 | E4 E4 D4 C4 | D4/2. C4/8 D4/8 |
            | E4 G4 G4/4. A4/8 | G4 E4 C4/4. D4/8 | E4 E4 D4 D4 | C4/1 |
            | F4/2 F4/2 | A4 A4/2 A4 | G4 G4 E4 C4 | D4/2. C4/8 D4/8 |
            | E4 G4 G4/4. A4/8 | G4 E4 C4/4. D4/8 | E4 E4 D4 D4 | C4/2. |
            """)
}
