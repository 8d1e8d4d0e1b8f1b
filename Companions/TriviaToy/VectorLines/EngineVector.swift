import TriviaToyEngine
import VectorLines
import Wire

/// The engine's answers to lines of test vectors: a command and its words, separated by tabs, in; the answer out. Every
/// build of the engine answers `Companions/TriviaToy/Vectors`.
public struct EngineVector {
    private var improv = ImprovReader()

    /// An engine without any bytes of a set-up.
    public init() {}

    /// Answers one line; `unknown command` where it knows no such command, `bad arguments` where they do not fit it.
    public mutating func answer(_ line: [UInt8]) -> [UInt8] {
        let arguments = VectorLine(line)
        var text = TextWriter()
        guard let command = arguments.command else { return text.bytes }
        let isKnown =
            improv(command.span, arguments, &text) || socket(command.span, arguments, &text)
            || rules(command.span, arguments, &text) || facts(command.span, arguments, &text)
        if !isKnown { text.write("unknown command") }
        return text.bytes
    }

    // MARK: - Set-up

    private mutating func improv(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "improv-command") {
            guard let number = line.integer(1, as: UInt8.self) else { return text.refuse() }
            text.write(hex: Self.packet(of: [number, 0]))
        } else if matches(command, "improv-join") {
            guard let ssid = line.hex(1), let password = line.hex(2) else { return text.refuse() }
            var data: [UInt8] = []
            ImprovCommand.encodeWifiSettings(ssid: ssid.span, password: password.span, into: &data)
            text.write(hex: Self.packet(of: data))
        } else if matches(command, "improv-receive") {
            guard let bytes = line.hex(1) else { return text.refuse() }
            improv.append(bytes.span)
            var count: Int64 = 0
            while let message = improv.next() {
                if count > 0 { text.write(", ") }
                count += 1
                text.write("", Int64(message.kind.rawValue))
                text.write(" ")
                text.write(hex: message.data)
            }
            if count == 0 { text.write("nothing yet, damaged ", Int64(improv.damaged)) }
        } else {
            return false
        }
        return true
    }

    private static func packet(of data: [UInt8]) -> [UInt8] {
        var packet: [UInt8] = []
        ImprovPacket.encode(.command, data: data.span, into: &packet)
        return packet
    }

    private func socket(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "socket-read") {
            guard let bytes = line.hex(1) else { return text.refuse() }
            do throws(ProvisioningMessage.Fault) {
                let message = try ProvisioningMessage(decoding: bytes.span)
                text.write("user ", Int64(message.user))
                text.write(", network ")
                text.write(hex: Array(bytes[message.ssid]))
                text.write(", password ")
                text.write(hex: Array(bytes[message.password]))
            } catch {
                write(error, &text)
            }
        } else if matches(command, "socket-write") {
            guard let user = line.integer(1, as: UInt32.self), let ssid = line.hex(2), let password = line.hex(3) else {
                return text.refuse()
            }
            var bytes: [UInt8] = []
            do throws(ProvisioningMessage.Fault) {
                try ProvisioningMessage.encode(user: user, ssid: ssid.span, password: password.span, into: &bytes)
                text.write(hex: bytes)
            } catch {
                write(error, &text)
            }
        } else {
            return false
        }
        return true
    }

    private func write(_ fault: ProvisioningMessage.Fault, _ text: inout TextWriter) {
        switch fault {
        case .missingColon: text.write("missing colon")
        case .badUser: text.write("bad user")
        case .badSSID(let bytes): text.write("bad network of ", Int64(bytes))
        case .badPassword(let bytes): text.write("bad password of ", Int64(bytes))
        case .cannotBeSaid: text.write("cannot be said")
        }
    }

    // MARK: - Rules and facts

    /// Answers `silence`: quiet from, quiet until, limit of a day, minute of the day or `-`, played today.
    private func rules(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        guard matches(command, "silence") else { return false }
        guard let from = line.integer(1, as: UInt16.self), let until = line.integer(2, as: UInt16.self),
            let limit = line.integer(3, as: UInt16.self), let played = line.integer(5, as: UInt16.self)
        else { return text.refuse() }
        var rules = HouseRules()
        (rules.quietStart, rules.quietEnd, rules.dailyLimit) = (from, until, limit)
        rules.speaksWithoutClock = false
        guard rules.fault == nil else {
            text.write("cannot be kept")
            return true
        }
        switch rules.silence(minuteOfDay: line.integer(4, as: UInt16.self), playedToday: played) {
        case .quietHours: text.write("quiet hours")
        case .dailyLimit: text.write("daily limit")
        case .unknownTime: text.write("unknown time")
        case nil: text.write("speaks")
        }
        return true
    }

    /// Answers `rank` and `shuffle` of a fact, as the database sorts by them, and the category of Open Trivia DB's
    /// name.
    private func facts(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "rank") {
            guard let up = line.integer(1, as: UInt32.self), let down = line.integer(2, as: UInt32.self) else {
                return text.refuse()
            }
            text.write(FactCandidate(id: 1, category: .general, upvotes: up, downvotes: down).rank)
        } else if matches(command, "shuffle") {
            guard let id = line.integer(1, as: UInt32.self) else { return text.refuse() }
            text.write(Int64(FactCandidate(id: id, category: .general).shuffle))
        } else if matches(command, "category") {
            text.write(Int64(FactCategory(openTriviaName: line.text(1).span).rawValue))
        } else if matches(command, "allows") {
            // Bits of the chosen categories, age, category, youngest age.
            guard let bits = line.integer(1, as: UInt64.self), let age = line.integer(2, as: UInt8.self),
                let category: FactCategory = line.choice(3), let youngest = line.integer(4, as: UInt8.self)
            else { return text.refuse() }
            let choice = FactChoice(categories: FactCategories(bits: bits), age: age)
            let fact = FactCandidate(id: 1, category: category, youngestAge: youngest)
            text.write(choice.allows(fact) ? "yes" : "no")
        } else {
            return false
        }
        return true
    }
}
