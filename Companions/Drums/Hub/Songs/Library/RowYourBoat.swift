extension SongLibrary.Page {
    static let rowYourBoat = Self(
        id: "row-your-boat",
        text: """
            title: Row, Row, Row Your Boat
            composer: Eliphalet Oram Lyte
            year: 1881
            source: Printed with this tune in 1881, and named as Lyte’s. He died in 1913.
            meter: 6/8
            tempo: 56
            repeat: 3

            | C4/4. C4/4. | C4/4 D4/8 E4/4. | E4/4 D4/8 E4/4 F4/8 | G4/2. |
            | C5/8 C5/8 C5/8 G4/8 G4/8 G4/8 | E4/8 E4/8 E4/8 C4/8 C4/8 C4/8 | G4/4 F4/8 E4/4 D4/8 | C4/2. |
            """)
}
