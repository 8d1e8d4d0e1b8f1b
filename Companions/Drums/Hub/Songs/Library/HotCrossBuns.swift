extension SongLibrary.Page {
    static let hotCrossBuns = Self(
        id: "hot-cross-buns",
        text: """
            title: Hot Cross Buns
            composer: Traditional, English
            year: 1798
            source: A street cry of the 18th century, in print as a nursery rhyme by 1798. Nobody has a right in it.
            meter: 4/4
            tempo: 92
            repeat: 3
            level 1: 1 | x... |
            level 2: 1 | x.x. |

            | E4/2 D4/2 | C4/1 | E4/2 D4/2 | C4/1 |
            | C4 C4 C4 C4 | D4 D4 D4 D4 | E4/2 D4/2 | C4/1 |
            """)
}
