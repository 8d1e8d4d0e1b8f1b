import Wire

// A setup as bytes; numbers have their lowest byte first:
//
//   16 bytes                 the session's identifier
//   u8, bytes                the person's identifier, ASCII
//   i16                      minutes east of Greenwich at the start
//   u8, bytes; u8, bytes     the song's identifier, ASCII; its title, UTF-8
//   u8 × 3                   level, mode, hands
//   u8, u32                  the drums, bit n is drum n; the seed
//   u8, u16                  link, and its latency in tenths of a millisecond
//   u8                       beats counted before the first step
//   i16, u16, u16            the timing window's centre and half, the lead, milliseconds
//   u32, u8, u8              stop rules: milliseconds, percent, over so many beats
//   u8                       steps of a beat
//   u8, then each            tempo: u16 step, u32 microseconds of a beat
//   u16, then their bits     steps: the lowest bit first, those after the last 0
//   u8                       tempo, percent of the song's own
extension SessionSetup {
    /// The setup in the codec's form.
    public var bytes: [UInt8] {
        var bytes = id
        bytes.reserveCapacity(120 + chart.steps.count / 8)
        bytes.append(counted: person)
        bytes.append(littleEndian: utcOffsetMinutes)
        bytes.append(counted: songID)
        bytes.append(counted: songTitle)
        bytes.append(level.rawValue)
        bytes.append(mode.rawValue)
        bytes.append(hands.rawValue)
        bytes.append(drums.rawValue)
        bytes.append(littleEndian: seed)
        bytes.append(link.rawValue)
        bytes.append(littleEndian: latencyTenths)
        bytes.append(countInBeats)
        bytes.append(littleEndian: window.centreMilliseconds)
        bytes.append(littleEndian: window.halfMilliseconds)
        bytes.append(littleEndian: leadMilliseconds)
        bytes.append(littleEndian: stop.milliseconds)
        bytes.append(stop.belowPercent)
        bytes.append(stop.beats)
        bytes.append(chart.stepsPerBeat)
        bytes.append(UInt8(clamping: chart.tempo.count))
        for change in chart.tempo {
            bytes.append(littleEndian: change.step)
            bytes.append(littleEndian: change.microsecondsPerBeat)
        }
        bytes.append(littleEndian: UInt16(clamping: chart.steps.count))
        bytes.append(contentsOf: packed(chart.steps))
        bytes.append(tempoPercent)
        return bytes
    }

    /// The setup of these bytes, all of them; one that can be played.
    public init(bytes: [UInt8]) throws(SessionCodecError) {
        var reader = LittleEndianReader(bytes[...])
        do throws(SessionCodecError) {
            try self.init(&reader)
        } catch {
            throw reader.isCutOff ? .seal(.cutOff) : error
        }
        guard reader.remaining == 0 else { throw .seal(.trailingBytes) }
    }

    /// The setup that comes next.
    init(_ reader: inout LittleEndianReader) throws(SessionCodecError) {
        let id = reader.take(DrumSession.Limits.id)
        let person = reader.takeCounted()
        let utcOffsetMinutes = reader.int16()
        let songID = reader.takeCounted()
        let songTitle = reader.takeCounted()
        let level = Level(rawValue: reader.uint8())
        let mode = PlayMode(rawValue: reader.uint8())
        let hands = Hands(rawValue: reader.uint8())
        let drums = reader.uint8()
        let seed = reader.uint32()
        let link = LinkKind(rawValue: reader.uint8())
        let latencyTenths = reader.uint16()
        let countInBeats = reader.uint8()
        let centre = reader.int16()
        let half = reader.uint16()
        let lead = reader.uint16()
        let stop = StopRules(
            milliseconds: reader.uint32(), belowPercent: reader.uint8(), beats: reader.uint8())
        let stepsPerBeat = reader.uint8()
        var tempo: [TempoChange] = []
        for _ in 0..<reader.uint8() {
            tempo.append(TempoChange(step: reader.uint16(), microsecondsPerBeat: reader.uint32()))
        }
        let count = Int(reader.uint16())
        let bits = reader.take((count + 7) / 8)
        let tempoPercent = reader.uint8()
        guard !reader.isCutOff else { throw .seal(.cutOff) }
        guard let level, let mode, let hands, let link, drums <= DrumSet.all.rawValue else { throw .setting }
        guard let steps = unpacked(bits, count: count) else { throw .chart }
        self.init(
            id: id, person: person, utcOffsetMinutes: utcOffsetMinutes, songID: songID, songTitle: songTitle,
            chart: Chart(stepsPerBeat: stepsPerBeat, tempo: tempo, steps: steps), level: level, mode: mode,
            hands: hands, drums: DrumSet(rawValue: drums), seed: seed, link: link, latencyTenths: latencyTenths,
            countInBeats: countInBeats,
            window: TimingWindow(centreMilliseconds: centre, halfMilliseconds: half), leadMilliseconds: lead,
            stop: stop)
        self.tempoPercent = tempoPercent
        try check()
    }

    /// Checks that the setup can be played.
    package func check() throws(SessionCodecError) {
        guard id.count == DrumSession.Limits.id, id.contains(where: { $0 != 0 }) else { throw .id }
        guard DrumSession.Limits.person.contains(person.count), isASCIIWord(person) else { throw .person }
        guard DrumSession.Limits.utcOffsetMinutes.contains(utcOffsetMinutes) else { throw .utcOffset }
        guard DrumSession.Limits.songID.contains(songID.count), isASCIIWord(songID),
            DrumSession.Limits.songTitle.contains(songTitle.count), isUTF8(songTitle.span)
        else { throw .song }
        guard !songTitle.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw .song }
        guard drums.count > 0 || link == .imported else { throw .noDrum }
        guard SessionRules.windowCentre.contains(window.centreMilliseconds),
            SessionRules.windowHalf.contains(window.halfMilliseconds), SessionRules.lead.contains(leadMilliseconds)
        else { throw .window }
        guard SessionRules.countInBeats.contains(countInBeats), stop.belowPercent <= 100,
            SessionRules.stopBeats.contains(stop.beats), SessionRules.tempoPercent.contains(tempoPercent),
            link != .imported || (mode == .wait && isAtOwnTempo)
        else { throw .setting }
        guard chart.isPlayable else { throw .chart }
    }
}
