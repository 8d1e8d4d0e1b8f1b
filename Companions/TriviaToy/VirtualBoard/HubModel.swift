import TriviaToyDevice
import TriviaToyEngine

/// A model of the hub's MQTT listener as a toy sees it, for tests and for a toy that is tried without a hub.
public struct HubModel: Sendable {
    /// The code with which CONNECT is refused; 0 accepts. 3 is a server that is unavailable, 5 a token that is not
    /// known.
    public var refusal: UInt8 = 0
    /// Whether published messages are acknowledged.
    public var acknowledges = true
    /// The plays that were published, the newest last.
    public private(set) var plays: [PlayReport] = []
    /// The votes that were published, the newest last.
    public private(set) var votes: [VoteReport] = []
    /// The statuses that were published, the newest last.
    public private(set) var statuses: [StatusReport] = []
    /// The number of times that a toy has connected.
    public private(set) var connections = 0
    /// The facts and rules that were sent and not acknowledged.
    public private(set) var unacknowledged: [UInt16: [UInt8]] = [:]
    /// Whether a toy is connected and has subscribed.
    public private(set) var isOnline = false
    /// The toy's token.
    public private(set) var token: [UInt8] = []

    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var device: [UInt8] = []
    private var nextID: UInt16 = 1

    /// A hub that accepts.
    public init() {}

    /// Sends a fact, as soon as a toy is there.
    public mutating func send(id: UInt32, _ text: String, language: FactLanguage = .english) {
        var bytes: [UInt8] = []
        let message = FactMessage(id: id, language: language)
        guard (try? message.encode(text: Array(text.utf8).span, into: &bytes)) != nil else { return }
        publish("fact", bytes)
    }

    /// Sends the rules and the time.
    public mutating func send(_ rules: RulesMessage) {
        var bytes: [UInt8] = []
        rules.encode(into: &bytes)
        publish("rules", bytes)
    }

    /// Reads the events of a Wi-Fi module, and answers.
    public mutating func serve(_ wifi: inout ESP8266Model) {
        for event in wifi.takeEvents() {
            switch event {
            case .opened, .closed:
                input = []
                isOnline = false
            case .sent(let bytes):
                input += bytes
                while let packet = takePacket() { answer(packet.first, packet.body) }
            }
        }
        if isOnline || !output.isEmpty, !output.isEmpty {
            wifi.deliver(output)
            output = []
        }
    }

    private mutating func publish(_ topic: String, _ payload: [UInt8]) {
        let name = Array("tandem/".utf8) + device + Array("/\(topic)".utf8)
        let body = [UInt8(0), UInt8(name.count)] + name + [UInt8(nextID >> 8), UInt8(nextID & 0xFF)] + payload
        let packet = [0x32] + Self.length(body.count) + body
        unacknowledged[nextID] = packet
        nextID += 1
        if isOnline { output += packet }
    }

    private static func length(_ count: Int) -> [UInt8] {
        count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F | 0x80), UInt8(count >> 7)]
    }

    private mutating func takePacket() -> (first: UInt8, body: [UInt8])? {
        guard input.count >= 2 else { return nil }
        var (length, start) = (Int(input[1] & 0x7F), 2)
        if input[1] & 0x80 != 0 {
            guard input.count >= 3 else { return nil }
            length |= Int(input[2]) << 7
            start = 3
        }
        guard input.count >= start + length else { return nil }
        defer { input.removeFirst(start + length) }
        return (input[0], Array(input[start..<start + length]))
    }

    private mutating func answer(_ first: UInt8, _ body: [UInt8]) {
        switch first >> 4 {
        case 1:
            connections += 1
            let count = Int(body[11])
            device = Array(body[12..<12 + count])
            token = Array(body[(12 + count + 2 + count + 2)...])
            output += [0x20, 2, 0, refusal]
        case 8:
            output += [0x90, 4, body[0], body[1], 1, 1]
            isOnline = true
            for id in unacknowledged.keys.sorted() { output += unacknowledged[id] ?? [] }
        case 3:
            let end = 2 + Int(body[1])
            let topic = String(decoding: body[2..<end], as: UTF8.self)
            let payload = Array(body[(end + 2)...])
            if topic.hasSuffix("/play"), let play = try? PlayReport(decoding: payload.span) { plays.append(play) }
            if topic.hasSuffix("/vote"), let vote = try? VoteReport(decoding: payload.span) { votes.append(vote) }
            if topic.hasSuffix("/status"), let status = try? StatusReport(decoding: payload.span) {
                statuses.append(status)
            }
            if acknowledges { output += [0x40, 2, body[end], body[end + 1]] }
        case 4: unacknowledged[UInt16(body[0]) << 8 | UInt16(body[1])] = nil
        case 12: if acknowledges { output += [0xD0, 0] }
        default: break
        }
    }
}
