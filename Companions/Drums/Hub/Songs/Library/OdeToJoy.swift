extension SongLibrary.Page {
    static let odeToJoy = Self(
        id: "ode-to-joy",
        text: """
            title: Ode to Joy
            composer: Ludwig van Beethoven
            year: 1824
            source: Finale of the Ninth Symphony, opus 125. Beethoven died in 1827; no copyright of his time lasts.
            meter: 4/4
            tempo: 108
            repeat: 2

            | E4 E4 F4 G4 | G4 F4 E4 D4 | C4 C4 D4 E4 | E4/4. D4/8 D4/2 |
            | E4 E4 F4 G4 | G4 F4 E4 D4 | C4 C4 D4 E4 | D4/4. C4/8 C4/2 |
            | D4 D4 E4 C4 | D4 E4/8 F4/8 E4 C4 | D4 E4/8 F4/8 E4 D4 | C4 D4 G3/2 |
            | E4 E4 F4 G4 | G4 F4 E4 D4 | C4 C4 D4 E4 | D4/4. C4/8 C4/2 |
            """)
}
