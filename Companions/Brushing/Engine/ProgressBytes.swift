import Wire

// Progress as bytes, so that a page goes on counting where the hub left off. Numbers have their lowest byte first:
//
//   u8 1                     version
//   u8                       sessions that keep a day
//   u8, i32                  whether there is a current day, and which
//   u32 × 5                  sessions of that day, of its week, of all; days in a row up to the day before; the most
//   i64                      milliseconds of all sessions
//   u64                      habit up to the day before, parts of 2^32
//   u32                      a bit for each award that was given
//   u8 × 7                   the week, bits of Pip
//   u64                      a bit for each frozen day: the current one, the next, ... 60 days ahead
extension BrushingProgress {
    private static let version: UInt8 = 1
    /// The number of sessions above which bytes are not valid progress, more than anybody lives to do.
    private static let mostSessions: UInt32 = 1_000_000
    private static let habitRange: ClosedRange<UInt64> = 0...(1 << 32)

    /// The encoded progress, without frozen days more than ``frozenAhead`` ahead.
    public var bytes: [UInt8] {
        var bytes = [Self.version, UInt8(clamping: perDay), day == nil ? 0 : 1]
        bytes.append(littleEndian: day ?? 0)
        for number in [sessionsToday, sessionsThisWeek, sessions, closedStreak, longestStreakDays] {
            bytes.append(littleEndian: UInt32(clamping: number))
        }
        bytes.append(littleEndian: totalMilliseconds)
        bytes.append(littleEndian: closedHabit)
        bytes.append(littleEndian: given)
        bytes.append(contentsOf: week)
        var ahead: UInt64 = 0
        if let day {
            for frozenDay in frozen {
                let distance = Int64(frozenDay) - Int64(day)
                if (0...Int64(Self.frozenAhead)).contains(distance) { ahead |= 1 << UInt64(distance) }
            }
        }
        bytes.append(littleEndian: ahead)
        return bytes
    }

    /// Decodes progress; nil if the bytes are invalid.
    public init?(bytes: [UInt8]) {
        var reader = LittleEndianReader(bytes[...])
        guard reader.uint8() == Self.version else { return nil }
        let perDay = Int(reader.uint8())
        guard Self.perDayChoices.contains(perDay) else { return nil }
        self.init(perDay: perDay)
        let hasDay = reader.uint8()
        let day = reader.int32()
        guard hasDay <= 1 else { return nil }
        self.day = hasDay == 1 ? day : nil
        var counts: [Int] = []
        for _ in 0..<5 {
            let number = reader.uint32()
            guard number <= Self.mostSessions else { return nil }
            counts.append(Int(number))
        }
        sessionsToday = counts[0]
        sessionsThisWeek = counts[1]
        sessions = counts[2]
        closedStreak = counts[3]
        longestStreakDays = counts[4]
        totalMilliseconds = reader.int64()
        closedHabit = reader.uint64()
        given = reader.uint32()
        week = reader.take(7)
        let ahead = reader.uint64()
        guard !reader.isCutOff, reader.remaining == 0, totalMilliseconds >= 0, Self.habitRange.contains(closedHabit),
            !week.contains(where: { $0 > Pip.all })
        else { return nil }
        guard hasDay == 1 else { return }
        for distance in 0...Self.frozenAhead where ahead & (1 << UInt64(distance)) != 0 {
            let (frozenDay, overflowed) = day.addingReportingOverflow(Int32(distance))
            if !overflowed { frozen.append(frozenDay) }
        }
    }
}
