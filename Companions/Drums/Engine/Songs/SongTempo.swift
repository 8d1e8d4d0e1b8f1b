extension Song {
    /// The song faster or slower than it is written: all its tempos change alike, and every level asks for the same beats.
    ///
    /// Faster than written, beats that would come sooner than a kit tells from a bounce are left out, as in the levels
    /// themselves.
    ///
    /// - Parameter percent: of its own tempo, within ``SessionRules/tempoPercent``.
    /// - Throws: ``SongError/tempo`` for a tempo that nobody plays, ``SongError/tooLong`` where it would last too long.
    public func atTempo(percent: UInt8) throws(SongError) -> Song {
        guard SessionRules.tempoPercent.contains(percent) else { throw .tempo }
        guard percent != SessionRules.ownTempo else { return self }
        var song = self
        for index in song.tempo.indices {
            let own = UInt64(song.tempo[index].microsecondsPerBeat)
            let played = UInt32(clamping: own * UInt64(SessionRules.ownTempo) / UInt64(percent))
            guard SessionRules.microsecondsPerBeat.contains(played) else { throw .tempo }
            song.tempo[index].microsecondsPerBeat = played
        }
        guard song.microseconds(atTick: Int64(beats) * Self.ticksPerBeat) <= Limits.milliseconds * 1_000 else {
            throw .tooLong
        }
        for index in song.charts.indices {
            let own = charts[index]
            let chart = Self.chart(stepsPerBeat: own.stepsPerBeat, steps: own.steps, tempo: song.tempo)
            song.charts[index] =
                percent > SessionRules.ownTempo ? chart.leavingOut(within: LevelRules.leastGap(.four)) : chart
        }
        return song
    }
}
