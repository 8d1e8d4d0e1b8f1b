import Localization

extension Localizer {
    /// The title of a song for whoever reads it: one that comes with Tandem has a title in each language, whatever a
    /// session of it was given; the household's own has the one that it was called by.
    ///
    /// - Parameters:
    ///   - id: the song's name in sessions.
    ///   - stored: the title that was stored with it.
    func songTitle(_ id: String, or stored: String) -> String {
        SongLibrary.titles[id].map { self(LocalizedText.Sentence(stringLiteral: $0)) } ?? stored
    }
}

extension DrumSessionResponse.SongSummary {
    /// The song with its title in the language of the reader.
    func localized(_ localized: Localizer) -> Self {
        Self(id: id, title: localized.songTitle(id, or: title))
    }
}

extension DrumSessionResponse {
    /// The session with its song's title in the language of the reader. Files keep the title that was stored.
    func localized(_ localized: Localizer) -> Self {
        var session = self
        session.song = song.localized(localized)
        return session
    }
}
