extension SongLibrary.Page {
    static let silentNight = Self(
        id: "silent-night",
        text: """
            title: Silent Night
            composer: Franz Xaver Gruber
            year: 1818
            source: First sung at Christmas of 1818. Gruber died in 1863.
            meter: 6/8
            tempo: 46
            repeat: 2

            | G4/8. A4/16 G4/8 E4/4. | G4/8. A4/16 G4/8 E4/4. | D5/4 D5/8 B4/4. | C5/4 C5/8 G4/4. |
            | A4/4 A4/8 C5/8. B4/16 A4/8 | G4/8. A4/16 G4/8 E4/4. | A4/4 A4/8 C5/8. B4/16 A4/8 | G4/8. A4/16 G4/8 E4/4. |
            | D5/4 D5/8 F5/8. D5/16 B4/8 | C5/4. E5/4. | C5/8 G4/8 E4/8 G4/8. F4/16 D4/8 | C4/2. |
            """)
}
