// Where the beats lie in time. Whole microseconds, rounded down once a tempo, as a session's own clock does.
extension Song {
    /// The position in time of a tick, microseconds from position 0. Before it, as in a count-in, the first tempo holds.
    public func microseconds(atTick tick: Int64) -> Int64 { tempo.microseconds(atTick: tick) }

    /// The length of the song.
    public var milliseconds: Int64 { microseconds(atTick: Int64(beats) * Self.ticksPerBeat) / 1_000 }
}

extension [TempoChange] {
    /// The position in time of a tick, as ``Song/microseconds(atTick:)``, of tempos by beat.
    func microseconds(atTick tick: Int64) -> Int64 {
        var position: Int64 = 0
        var place = 0
        while place < count {
            let start = Int64(self[place].step) * Song.ticksPerBeat
            let next = place + 1 < count ? Int64(self[place + 1].step) * Song.ticksPerBeat : Int64.max
            let ticks = Swift.min(tick, next) - start
            let microseconds = ticks * Int64(self[place].microsecondsPerBeat)
            // Rounded down before position 0 too.
            position +=
                microseconds >= 0
                ? microseconds / Song.ticksPerBeat
                : -((-microseconds + Song.ticksPerBeat - 1) / Song.ticksPerBeat)
            if tick <= next { break }
            place += 1
        }
        return position
    }
}

extension Song {
    /// Changes the speed: the first tempo becomes this one, and the others change in proportion. The charts ask for the
    /// same beats as before. ``check()`` says whether the song can still be played.
    public mutating func setTempo(microsecondsPerBeat: UInt32) {
        guard let first = tempo.first?.microsecondsPerBeat, first > 0 else { return }
        for index in tempo.indices {
            let scaled = UInt64(tempo[index].microsecondsPerBeat) * UInt64(microsecondsPerBeat) / UInt64(first)
            tempo[index].microsecondsPerBeat = UInt32(clamping: scaled)
        }
        charts = charts.map { Self.chart(stepsPerBeat: $0.stepsPerBeat, steps: $0.steps, tempo: tempo) }
    }
}
