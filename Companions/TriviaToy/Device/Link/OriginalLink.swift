import DeviceHAL
import DeviceParts
import TriviaToyEngine
import Wire

/// The reader of an answer of the original's server, byte by byte: its status, and the text between its first two quotes.
struct OriginalAnswer: Sendable {
    /// The status of HTTP; 0 before it was read.
    private(set) var status: UInt16 = 0
    /// The text between the first two quotes of the whole answer, head included, as the original's toy reads it.
    private(set) var text = FixedBytes<1_024>()
    private var quotes: UInt8 = 0
    private var isInStatus = false
    private var digits: UInt8 = 0

    /// An answer of which nothing has come.
    init() {}

    /// Whether it grants what was asked for.
    var isSuccess: Bool { status == 200 }
    /// Whether a text came, and all of it.
    var isWhole: Bool { quotes >= 2 && text.count > 0 && !text.overflowed }

    /// Takes the next byte.
    mutating func receive(_ byte: UInt8) {
        if digits < 3 {
            // HTTP/1.1 200 OK
            switch byte {
            case UInt8(ascii: " "): isInStatus = true
            case UInt8(ascii: "0")...UInt8(ascii: "9") where isInStatus:
                status = status * 10 + UInt16(byte - UInt8(ascii: "0"))
                digits += 1
            default: break
            }
            return
        }
        if byte == UInt8(ascii: "\"") {
            quotes = quotes == .max ? .max : quotes + 1
        } else if quotes == 1 {
            text.append(byte)
        }
    }
}

/// The toy's part in the HTTP API of the original's server, for a toy that was set up by the original's app: it fetches facts
/// and reports how many it has played, each by a connection of its own.
struct OriginalLink: Sendable {
    /// The request that was sent.
    enum Request: Equatable, Sendable {
        case fact
        /// The plays up to a sequence number of the journal.
        case plays(count: UInt16, upTo: UInt32)
    }

    /// The original's host, which its toy and its apps have built in.
    static var host: FixedBytes<64> {
        var host = FixedBytes<64>()
        host.put(text: "triviotoy.azurewebsites.net")
        return host
    }
    /// The original's port: its toy speaks no TLS.
    static var port: UInt16 { 80 }
    /// The most plays of a report; what is more is reported next.
    static var mostPlays: UInt16 { 100 }

    /// The request that is due, or was sent.
    var request: Request?
    /// Whether the connection for the request is open.
    var wantsSend = false
    /// The answer so far.
    var answer = OriginalAnswer()
    /// Whether the server has sent a fact that is there already: it has no other one before more are played.
    var hasAllFacts = false

    /// The request's bytes.
    func bytes(user: UInt32) -> FixedBytes<256> {
        var bytes = FixedBytes<256>()
        switch request {
        case .plays(let count, _):
            bytes.put(text: "GET /User/History/")
            bytes.put(decimal: Int64(user))
            bytes.put(text: "/")
            bytes.put(decimal: Int64(count))
        case .fact, nil:
            bytes.put(text: "GET /Trivia/")
            bytes.put(decimal: Int64(user))
        }
        bytes.put(text: " HTTP/1.1\r\nHost: triviotoy.azurewebsites.net\r\nConnection: close\r\n\r\n")
        return bytes
    }

    /// The identifier of a fact that has none: a hash of its text (FNV-1a, 32 bits), in a range that no hub's facts are in.
    static func identifier(_ text: FixedBytes<1_024>) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for index in 0..<text.count { hash = (hash ^ UInt32(text[index])) &* 16_777_619 }
        return 0x8000_0000 | hash & 0x3FFF_FFFF
    }
}

extension TriviaToy {
    /// Asks the original's server for what is wanted, one thing at a time.
    mutating func serveOriginal(_ settings: LinkSettings, _ now: UInt32) {
        if original.wantsSend {
            original.wantsSend = false
            return radio.send(original.bytes(user: settings.user), at: now)
        }
        guard machine.link == .resting else { return }
        original.request = nextRequest()
        guard original.request != nil else { return }
        original.answer = OriginalAnswer()
        act(.wantsToAsk)
    }

    private mutating func nextRequest() -> OriginalLink.Request? {
        if journal.unreported > 0 {
            do throws(FlashError) {
                let plays = try journal.playsToReport(most: OriginalLink.mostPlays, &board.memory)
                if plays.count > 0 { return .plays(count: plays.count, upTo: plays.upTo) }
                // Votes alone: the server takes them from its apps, by numbers that a toy is not told.
                try journal.markReported(plays.upTo, &board.memory)
            } catch {
                faults.insert(.store)
            }
        }
        let isShort = facts.count(above: journal.state.heard) < LinkDuties.fewFacts
        return isShort && !original.hasAllFacts && !faults.contains(.store) ? .fact : nil
    }

    /// Takes what the server has answered.
    mutating func takeAnswer() {
        let answer = original.answer
        guard let request = original.request else { return }
        original.request = nil
        guard answer.isSuccess else { return act(.answered(isRefused: true)) }
        act(.answered(isRefused: false))
        do throws(FlashError) {
            switch request {
            case .plays(_, let upTo): try journal.markReported(upTo, &board.memory)
            case .fact:
                guard answer.isWhole else { return original.hasAllFacts = true }
                let fact = FactMessage(id: OriginalLink.identifier(answer.text), language: .english)
                let outcome = try answer.text.withBytes { (bytes) throws(FlashError) -> FactStore.Outcome in
                    try facts.store(fact, text: bytes, speaking: storedFactInSpeech, &board.memory)
                }
                original.hasAllFacts = outcome == .alreadyThere
                prepareIfNeeded(after: outcome)
            }
        } catch {
            faults.insert(.store)
        }
    }
}
