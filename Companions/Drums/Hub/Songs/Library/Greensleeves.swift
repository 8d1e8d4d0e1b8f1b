extension SongLibrary.Page {
    static let greensleeves = Self(
        id: "greensleeves",
        text: """
            title: Greensleeves
            composer: Traditional, English
            year: 1580
            source: Entered at the Stationers’ Company in 1580, without a composer. Nobody has a right in it.
            meter: 6/8
            tempo: 56
            repeat: 2

            A4/8 |
            | C5/4 D5/8 E5/8. F5/16 E5/8 | D5/4 B4/8 G4/8. A4/16 B4/8 | C5/4 A4/8 A4/8. G#4/16 A4/8 | B4/4 G#4/8 E4/4 A4/8 |
            | C5/4 D5/8 E5/8. F5/16 E5/8 | D5/4 B4/8 G4/8. A4/16 B4/8 | C5/8. B4/16 A4/8 G#4/8. F#4/16 G#4/8 | A4/4. A4/4. |
            | G5/4. G5/8. F#5/16 E5/8 | D5/4 B4/8 G4/8. A4/16 B4/8 | C5/4 A4/8 A4/8. G#4/16 A4/8 | B4/4 G#4/8 E4/4. |
            | G5/4. G5/8. F#5/16 E5/8 | D5/4 B4/8 G4/8. A4/16 B4/8 | C5/8. B4/16 A4/8 G#4/8. F#4/16 G#4/8 | A4/4. A4/4 |
            """)
}
