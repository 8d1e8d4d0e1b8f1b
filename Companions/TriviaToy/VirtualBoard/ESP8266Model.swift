/// A model of the Wi-Fi module's AT firmware, with a network whose other end is a queue: a test's hub, or a real one's
/// socket.
public struct ESP8266Model: Sendable {
    /// The ways in which the module and the network fail.
    public struct Faults: Equatable, Sendable {
        /// The access point is gone.
        public var isAccessPointGone = false
        /// The number of commands from now on that are answered `busy p...`.
        public var busy = 0
        /// Whether the module answers nothing.
        public var isSilent = false
        /// Whether no hub listens at the address.
        public var isHubGone = false
        /// Whether the connection is half open: bytes are sent, and none come back any more.
        public var isHalfOpen = false

        /// No faults.
        public init() {}
    }

    /// An event of the network, for the caller that plays the other end.
    public enum NetworkEvent: Equatable, Sendable {
        case opened(host: String, port: UInt16)
        case sent([UInt8])
        case closed
    }

    /// The line to the toy.
    public var line = SerialLine(byteTime: 87)
    /// The faults of the module and the network.
    public var faults = Faults()
    /// The network's name, any bytes.
    public var ssid: [UInt8] = Array("House".utf8)
    /// The network's password.
    public var password: [UInt8] = Array("sesame open".utf8)
    /// The time that joining takes, milliseconds.
    public var joinTime: UInt32 = 2_500
    /// The time of a round trip, milliseconds.
    public var latency: UInt32 = 4
    /// The address of a phone that joins the module's own network whenever that is open; nil for none.
    public var visitor: String? = "192.168.4.2"
    /// The name of the module's own network; nil while it is closed.
    public private(set) var accessPoint: String?
    /// The commands that came, as text.
    public private(set) var commands: [String] = []
    /// Whether the module is in the network.
    public private(set) var isJoined = false
    /// Whether the module is connected.
    public private(set) var isConnected = false

    private var events: [NetworkEvent] = []
    private var command: [UInt8] = []
    private var payloadLeft = 0
    private var payload: [UInt8] = []
    private var answers: [(at: UInt64, bytes: [UInt8])] = []
    private var echoes = true
    private var hasAccessPoint = false
    private var now: UInt64 = 0

    init() {}

    /// Turns the power off and on.
    mutating func powerOn() {
        command = []
        payloadLeft = 0
        answers = []
        if isConnected { events.append(.closed) }
        (isJoined, isConnected, echoes) = (false, false, true)
        (hasAccessPoint, accessPoint) = (false, nil)
        answer("\r\nready\r\n", after: 300)
    }

    /// Removes and returns the events since the last call.
    public mutating func takeEvents() -> [NetworkEvent] {
        defer { events = [] }
        return events
    }

    /// Sends bytes from the other end.
    public mutating func deliver(_ bytes: [UInt8]) {
        guard isConnected, !faults.isHalfOpen else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1_460)
            rest = rest.dropFirst(piece.count)
            answer(Array("\r\n+IPD,\(piece.count):".utf8) + piece, after: latency)
        }
    }

    /// Closes the connection from the other end.
    public mutating func closeFromPeer() {
        guard isConnected, !faults.isHalfOpen else { return }
        isConnected = false
        answer("CLOSED\r\n", after: latency)
    }

    /// Removes the access point, or brings it back.
    public mutating func setAccessPoint(isGone: Bool) {
        faults.isAccessPointGone = isGone
        guard isGone, isJoined else { return }
        isJoined = false
        if isConnected {
            isConnected = false
            events.append(.closed)
            answer("CLOSED\r\n", after: 1)
        }
        answer("WIFI DISCONNECT\r\n", after: 2)
    }

    mutating func advance(microseconds: UInt32, to now: UInt64) {
        self.now = now
        for byte in line.advance(microseconds: microseconds, to: now) { take(byte) }
        while let first = answers.first, first.at <= now {
            if !faults.isSilent { line.say(first.bytes) }
            answers.removeFirst()
        }
    }

    private mutating func answer(_ text: String, after milliseconds: UInt32) {
        answer(Array(text.utf8), after: milliseconds)
    }

    private mutating func answer(_ bytes: [UInt8], after milliseconds: UInt32) {
        // In order, whatever the times.
        let time = max(now + UInt64(milliseconds) * 1_000, answers.last?.at ?? 0)
        answers.append((time, bytes))
    }

    private mutating func take(_ byte: UInt8) {
        if payloadLeft > 0 {
            payload.append(byte)
            payloadLeft -= 1
            if payloadLeft == 0 { sendPayload() }
            return
        }
        guard byte == 0x0A else {
            command.append(byte)
            return
        }
        if command.last == 0x0D { command.removeLast() }
        let line = command
        command = []
        if echoes { answer(line + [0x0D, 0x0D, 0x0A], after: 0) }
        obey(line)
    }

    private mutating func sendPayload() {
        answer("Recv \(payload.count) bytes\r\n", after: 0)
        if isConnected {
            if !faults.isHalfOpen { events.append(.sent(payload)) }
            answer("\r\nSEND OK\r\n", after: latency)
        } else {
            answer("\r\nSEND FAIL\r\n", after: latency)
        }
        payload = []
    }

    private mutating func obey(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        commands.append(text)
        if faults.busy > 0 {
            faults.busy -= 1
            return answer("busy p...\r\n", after: 1)
        }
        if text == "AT+RST" {
            answer("\r\nOK\r\n", after: 1)
            if isConnected { events.append(.closed) }
            (isJoined, isConnected, echoes) = (false, false, true)
            (hasAccessPoint, accessPoint) = (false, nil)
            return answer("\r\n ets Jan  8 2013,rst cause:2\r\n\r\nready\r\n", after: 300)
        }
        if text == "ATE0" {
            echoes = false
            return answer("\r\nOK\r\n", after: 1)
        }
        if text == "AT" { return answer("\r\nOK\r\n", after: 2) }
        if text.hasPrefix("AT+CWMODE_CUR=") {
            hasAccessPoint = text.hasSuffix("2") || text.hasSuffix("3")
            if !hasAccessPoint { accessPoint = nil }
            return answer("\r\nOK\r\n", after: 2)
        }
        if text.hasPrefix("AT+CWSAP_CUR=") {
            guard hasAccessPoint else { return answer("\r\nERROR\r\n", after: 2) }
            accessPoint = Self.quoted(line).first.map { String(decoding: $0, as: UTF8.self) }
            return answer("\r\nOK\r\n", after: 2)
        }
        if text == "AT+CWLIF" {
            let line = accessPoint != nil ? visitor.map { "\($0),5c:cf:7f:01:02:03\r\n" } ?? "" : ""
            return answer("\(line)\r\nOK\r\n", after: 2)
        }
        if text == "AT+CIPSTATUS" {
            return answer("STATUS:\(isConnected ? 3 : isJoined ? 2 : 5)\r\n\r\nOK\r\n", after: 2)
        }
        if text == "AT+CWLAP" {
            let name =
                faults.isAccessPointGone
                ? [] : Array("+CWLAP:(3,\"".utf8) + ssid + Array("\",-52,\"aa:bb:cc:dd:ee:ff\",6)\r\n".utf8)
            return answer(
                name + Array("+CWLAP:(0,\"Cafe\",-80,\"aa:bb:cc:dd:ee:00\",1)\r\n\r\nOK\r\n".utf8), after: 1_500)
        }
        if text.hasPrefix("AT+CWJAP_CUR=") { return join(Self.quoted(line)) }
        if text.hasPrefix("AT+CIPSTART=\"TCP\",") { return open(line) }
        if text.hasPrefix("AT+CIPSEND="), let count = Int(text.dropFirst(11)), (1...2_048).contains(count) {
            guard isConnected else { return answer("link is not valid\r\n\r\nERROR\r\n", after: 1) }
            payloadLeft = count
            return answer("\r\nOK\r\n> ", after: 1)
        }
        if text == "AT+CIPCLOSE" {
            guard isConnected else { return answer("\r\nERROR\r\n", after: 1) }
            isConnected = false
            events.append(.closed)
            return answer("CLOSED\r\n\r\nOK\r\n", after: 2)
        }
        answer("\r\nERROR\r\n", after: 1)
    }

    private mutating func join(_ words: [[UInt8]]) {
        guard !faults.isAccessPointGone, words.first == ssid else {
            return answer("+CWJAP:3\r\n\r\nFAIL\r\n", after: joinTime)
        }
        guard words.count == 2, words[1] == password else { return answer("+CWJAP:2\r\n\r\nFAIL\r\n", after: joinTime) }
        isJoined = true
        answer("WIFI CONNECTED\r\n", after: joinTime - 500)
        answer("WIFI GOT IP\r\n\r\nOK\r\n", after: joinTime)
    }

    private mutating func open(_ line: [UInt8]) {
        let words = Self.quoted(line)
        let isVisitor = accessPoint != nil && words.last == visitor.map { Array($0.utf8) }
        guard isJoined || isVisitor, words.count == 2 else { return answer("no ip\r\n\r\nERROR\r\n", after: 1) }
        guard !isConnected else { return answer("ALREADY CONNECTED\r\n\r\nERROR\r\n", after: 1) }
        guard !faults.isHubGone else { return answer("\r\nERROR\r\nCLOSED\r\n", after: 1_000) }
        isConnected = true
        let port = UInt16(String(decoding: line.reversed().prefix { $0 != 0x2C }.reversed(), as: UTF8.self)) ?? 0
        events.append(.opened(host: String(decoding: words[1], as: UTF8.self), port: port))
        answer("CONNECT\r\n\r\nOK\r\n", after: latency)
    }

    /// The texts between quotes, without their escapes.
    static func quoted(_ line: [UInt8]) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8]?
        var index = 0
        while index < line.count {
            if line[index] == 0x5C, index + 1 < line.count {
                index += 1
                word?.append(line[index])
            } else if line[index] == 0x22 {
                if let finished = word {
                    words.append(finished)
                    word = nil
                } else {
                    word = []
                }
            } else {
                word?.append(line[index])
            }
            index += 1
        }
        return words
    }
}
