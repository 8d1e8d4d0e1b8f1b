extension SongLibrary.Page {
    static let londonBridge = Self(
        id: "london-bridge",
        text: """
            title: London Bridge Is Falling Down
            composer: Traditional, English
            year: 1879
            source: Words of the 18th century at the latest; with this tune in print since 1879, without a name. Nobody has a right in it.
            meter: 4/4
            tempo: 104
            repeat: 3

            | G4/4. A4/8 G4 F4 | E4 F4 G4/2 | D4 E4 F4/2 | E4 F4 G4/2 |
            | G4/4. A4/8 G4 F4 | E4 F4 G4/2 | D4/2 G4/2 | E4 C4/2. |
            """)
}
