import BrushingEngine
import VectorLines
import Wire

/// The commands of a vector file that are about one person's progress, and about days.
struct ProgressVector {
    private var progress = BrushingProgress(perDay: 2)

    mutating func answer(_ command: Span<UInt8>, _ arguments: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "progress") {
            guard let perDay = arguments.count(1) else { return text.refuse() }
            progress = BrushingProgress(perDay: perDay)
            write(&text)
        } else if matches(command, "freeze") {
            guard let from = arguments.day(1), let count = arguments.count(2) else { return text.refuse() }
            for ahead in 0..<count { progress.freeze(from &+ Int32(ahead)) }
            write(&text)
        } else if matches(command, "advance") {
            guard let day = arguments.day(1) else { return text.refuse() }
            progress.advance(to: day)
            write(&text)
        } else if matches(command, "record") {
            // A day, a minute, whether it counts, milliseconds.
            guard let day = arguments.day(1), let minute = arguments.day(2), let counts = arguments.count(3),
                let milliseconds = arguments.integer(4)
            else { return text.refuse() }
            let moment = LocalMoment(day: day, minute: minute)
            let award = progress.record(
                day: moment.brushingDay, isMorning: moment.isMorning, counts: counts == 1, milliseconds: milliseconds)
            write(award, &text)
            text.write("; ")
            write(&text)
        } else if matches(command, "days") {
            days(arguments, &text)
        } else if matches(command, "week") {
            text.write(Int64(progress.keptThisWeek))
            text.write(" of ", Int64(progress.askedThisWeek))
        } else if matches(command, "state") {
            text.write(hex: progress.bytes)
        } else if matches(command, "load") {
            guard let loaded = arguments.hex(1).flatMap({ BrushingProgress(bytes: $0) }) else {
                text.write("no progress")
                return true
            }
            progress = loaded
            write(&text)
        } else if matches(command, "moment") {
            guard let wall = arguments.integer(1), let offset = arguments.integer(2, as: Int16.self)
            else {
                return text.refuse()
            }
            write(LocalMoment(milliseconds: wall, utcOffsetMinutes: offset), &text)
        } else if matches(command, "local") {
            guard let day = arguments.day(1), let minute = arguments.day(2) else { return text.refuse() }
            write(LocalMoment(day: day, minute: minute), &text)
        } else if matches(command, "garden") {
            guard let sessions = arguments.integer(1) else { return text.refuse() }
            let garden = Garden(sessions: Int(clamping: sessions))
            text.write("trees ")
            text.write(Int64(garden.trees))
            text.write(", leaves ")
            text.write(Int64(garden.leaves))
            text.write(", to grow ")
            text.write(Int64(garden.leavesToGrow))
        } else if matches(command, "tip") {
            guard let sessions = arguments.day(1), let count = arguments.day(2) else { return text.refuse() }
            text.write(Int64(tipIndex(sessions: Int(sessions), of: Int(count))))
        } else {
            return false
        }
        return true
    }

    /// From a day on so many days, each with so many sessions of 120 s that count: the awards, and what it came to.
    private mutating func days(_ arguments: VectorLine, _ text: inout TextWriter) {
        guard let from = arguments.day(1), let count = arguments.count(2), let each = arguments.count(3), each <= 10
        else {
            _ = text.refuse()
            return
        }
        for ahead in 0..<count {
            let day = from &+ Int32(ahead)
            progress.advance(to: day)
            for number in 0..<each {
                let award = progress.record(
                    day: day, isMorning: number % 2 == 0, counts: true, milliseconds: 120_000)
                guard let award else { continue }
                text.write(Int64(ahead + 1))
                text.write(" ")
                text.write(award.name)
                text.write(", ")
            }
        }
        write(&text)
    }

    private func write(_ moment: LocalMoment, _ text: inout TextWriter) {
        text.write(Int64(moment.day))
        text.write(" ", Int64(moment.minute))
        text.write(" belongs to ", Int64(moment.brushingDay))
        text.write(moment.isMorning ? " morning" : " evening")
    }

    private func write(_ award: Award?, _ text: inout TextWriter) {
        guard let award else {
            text.write("no award")
            return
        }
        text.write(award.name)
    }

    private func write(_ text: inout TextWriter) {
        text.write("sessions ", Int64(progress.sessions))
        text.write(" week ", Int64(progress.sessionsThisWeek))
        text.write(" total ", progress.totalMilliseconds)
        text.write(" streak ", Int64(progress.streakDays))
        text.write(" longest ", Int64(progress.longestStreakDays))
        text.write(" habit ", Int64(clamping: progress.habit))
        text.write(" ", Int64(progress.habitPercent))
        text.write("% pips ")
        for pip in progress.week { text.write(Int64(pip)) }
        text.write(" today ", Int64(progress.today))
    }
}
