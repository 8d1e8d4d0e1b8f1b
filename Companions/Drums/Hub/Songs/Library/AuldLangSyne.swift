extension SongLibrary.Page {
    static let auldLangSyne = Self(
        id: "auld-lang-syne",
        text: """
            title: Auld Lang Syne
            composer: Traditional, Scottish
            year: 1799
            source: Words by Robert Burns, printed with this tune in 1799. Burns died in 1796; the tune is older.
            meter: 4/4
            tempo: 96
            repeat: 2

            G3 |
            | C4/4. C4/8 C4 E4 | D4/4. C4/8 D4 E4 | C4/4. C4/8 E4 G4 | A4/2. A4 |
            | G4/4. E4/8 E4 C4 | D4/4. C4/8 D4 E4 | C4/4. A3/8 A3 G3 | C4/2. A4 |
            | G4/4. E4/8 E4 C4 | D4/4. C4/8 D4 A4 | G4/4. E4/8 E4 G4 | A4/2. C5 |
            | G4/4. E4/8 E4 C4 | D4/4. C4/8 D4 E4 | C4/4. A3/8 A3 G3 | C4/2. |
            """)
}
