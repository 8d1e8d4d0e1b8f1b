extension Song {
    /// A song whose sound is a recording: its charts follow from the tempo and the length alone, as if something began at
    /// every beat and every half of one.
    ///
    /// - Parameters:
    ///   - offsetMilliseconds: where its first bar begins in the recording.
    ///   - lengthMilliseconds: of the whole recording.
    public static func ofAudio(
        id: [UInt8], title: [UInt8], microsecondsPerBeat: UInt32, offsetMilliseconds: Int32,
        lengthMilliseconds: Int64, beatsPerBar: UInt8
    ) throws(SongError) -> Song {
        guard Limits.microsecondsPerBeat.contains(microsecondsPerBeat) else { throw .tempo }
        guard Limits.beatsPerBar.contains(beatsPerBar) else { throw .meter }
        guard lengthMilliseconds <= Limits.milliseconds else { throw .tooLong }
        let beats = (lengthMilliseconds - Int64(offsetMilliseconds)) * 1_000 / Int64(microsecondsPerBeat)
        guard beats >= 1, beats <= Int64(Limits.beats) else { throw .beats }
        let tempo = [TempoChange(step: 0, microsecondsPerBeat: microsecondsPerBeat)]
        var onsets: [Int64] = []
        for half in 0..<beats * 2 { onsets.append(half * ticksPerBeat / 2) }
        let grid = LevelRules.Grid(
            beats: Int(beats), beatsPerBar: Int(beatsPerBar), upbeatBeats: 0, beatDivision: 2, tempo: tempo)
        let song = Song(
            id: id, title: title, composer: [], source: [], year: 0, sound: .audio,
            audioOffsetMilliseconds: offsetMilliseconds, beatsPerBar: beatsPerBar, upbeatBeats: 0, beatDivision: 2,
            beats: UInt16(clamping: beats), tempo: tempo, notes: [],
            charts: LevelRules.charts(onsets: onsets, grid: grid))
        try song.check()
        return song
    }
}
