import Wire

/// The time of a sensor's message, `at`, as far as it can be understood.
enum SensorTime {
    /// The message says none.
    case none
    /// UTC milliseconds.
    case given(Int64)
    /// The message says one that is none, or that no clock shows today.
    case wrong(SensorMessageError)

    /// Reads the value of `at`, the first token of which was just read.
    ///
    /// A number counts milliseconds, or what it must be by its size: seconds, microseconds or nanoseconds, since of the years
    /// 2020 to 2100 no two of them overlap. A text is such a number, or ISO 8601 with its offset.
    init(_ token: JSONReader.Token, _ text: Span<UInt8>) {
        switch token {
        case .null: self = .none
        case .number(let range): self = Self.counted(decimal(text.extracting(range)))
        case .string(let range):
            let written = text.extracting(range)
            let content = written.extracting(SensorMessage.contentRange(written))
            if SensorMessage.isNoValue(content) || content.isEmpty {
                self = .none
            } else if let moment = iso8601Milliseconds(content) {
                self = Self.credible(moment)
            } else {
                self = Self.counted(decimal(content))
            }
        default: self = .wrong(SensorMessageError(.timeNotANumber))
        }
    }

    /// The milliseconds to store a reading under; nil for the time of receipt.
    var milliseconds: Int64? {
        guard case .given(let at) = self else { return nil }
        return at
    }

    /// Checks that the sensor's clock and the hub's may both be right.
    func check(now: Int64) throws(SensorMessageError) {
        switch self {
        case .none: return
        case .wrong(let error): throw error
        case .given(let at):
            // Saturating, so that a hub clock at the end of time does not trap.
            let (latest, overflowed) = now.addingReportingOverflow(SensorMessage.lead)
            if !overflowed, at > latest { throw SensorMessageError(.timeAhead, value: Double(at)) }
        }
    }

    /// Whether a number counts a moment of the years 2020 to 2099, in seconds, milli-, micro- or nanoseconds.
    static func isMoment(_ value: Double) -> Bool {
        if case .given = counted(value) { return true }
        return false
    }

    private static func counted(_ value: Double?) -> SensorTime {
        // Python's time.time() has a fraction; what is below a millisecond is dropped.
        guard let value, value.magnitude < 9e18 else { return .wrong(SensorMessageError(.timeNotANumber)) }
        let (earliest, end) = (Double(SensorMessage.earliest), Double(SensorMessage.end))
        if value >= earliest / 1_000, value < end / 1_000 { return credible(Int64(value * 1_000)) }
        if value >= earliest * 1_000, value < end * 1_000 { return credible(Int64(value / 1_000)) }
        if value >= earliest * 1_000_000, value < end * 1_000_000 { return credible(Int64(value / 1_000_000)) }
        return credible(Int64(value))
    }

    private static func credible(_ at: Int64) -> SensorTime {
        if at < SensorMessage.earliest { return .wrong(SensorMessageError(.timeTooEarly, value: Double(at))) }
        if at >= SensorMessage.end { return .wrong(SensorMessageError(.timeTooLate, value: Double(at))) }
        return .given(at)
    }
}
