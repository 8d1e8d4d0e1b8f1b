import DeviceHAL
import Wire

/// The driver of Espressif's ESP8266 with its AT firmware on a serial line, 115200 baud 8N1, one connection at a time.
///
/// Commands and answers: "ESP8266 AT Instruction Set", version 3.0. The driver never waits: it is polled in each turn
/// of the firmware, takes one command at a time, and reports its outcome.
public struct ESP8266: Sendable {
    /// A command to the module.
    public enum Command: UInt8, Sendable {
        /// Restarts the module, `AT+RST`, until `ready`; echo is switched off after it.
        case restart
        /// Makes the module a station: `AT+CWMODE_CUR=1`.
        case station
        /// Opens an access point beside the station: `AT+CWMODE_CUR=3` and then `AT+CWSAP_CUR`.
        case accessPoint
        /// Asks who is in the access point's network: `AT+CWLIF`, one ``Event/visitor`` each.
        case visitors
        /// Scans for networks, `AT+CWLAP`: one ``Event/network`` each.
        case scan
        /// Joins a network: `AT+CWJAP_CUR`.
        case join
        /// Asks for the status: `AT+CIPSTATUS`.
        case status
        /// Opens a connection: `AT+CIPSTART`.
        case open
        /// Sends bytes: `AT+CIPSEND`, the prompt `>`, the bytes, `SEND OK`.
        case send
        /// Closes the connection: `AT+CIPCLOSE`.
        case close
    }

    /// The reason why a command failed.
    public enum Failure: Error, Equatable, Sendable {
        /// The module answered `ERROR` or `FAIL` without a reason.
        case refused
        /// No answer in the command's time.
        case timedOut
        /// The password is wrong: `+CWJAP:2`.
        case wrongPassword
        /// The access point was not found: `+CWJAP:3`.
        case noAccessPoint
        /// The network was not joined: `+CWJAP:1` and `+CWJAP:4`.
        case notJoined
        /// The module answered `SEND FAIL`, or the connection was closed meanwhile.
        case closed
        /// The module answered `busy p...` or `busy s...` to all attempts.
        case busy
    }

    /// An event of the module.
    public enum Event: Equatable, Sendable {
        case finished(Command)
        case failed(Command, Failure)
        /// A byte arrived over the connection.
        case received(UInt8)
        /// The other side closed the connection.
        case closed
        /// The network is gone; the module looks for it by itself.
        case left
        /// The module restarted by itself: the supply dipped.
        case restarted
        /// A network of a scan; its name is ``networkName``.
        case network(signal: Int8, isOpen: Bool)
        /// A phone in the access point's network; its address is ``visitorAddress``.
        case visitor
        /// The answer to ``Command/status``, `STATUS:`: 2 has an address, 3 connected, 4 closed, 5 no network.
        case status(UInt8)
    }

    /// The number of attempts of a command that the module was too busy for.
    static var attempts: UInt8 { 10 }
    /// The pause after `busy` before the next attempt, milliseconds.
    static var busyPause: UInt32 { 200 }

    /// The name of the network of the last ``Event/network``.
    public private(set) var networkName = FixedBytes<32>()
    /// The address of the last ``Event/visitor``, such as `192.168.4.2`.
    public private(set) var visitorAddress = FixedBytes<15>()
    private var command: Command?
    private var isSecondStep = false
    private var output = FixedBytes<256>()
    private var payload = FixedBytes<256>()
    private var sent = 0
    private var sendsPayload = false
    private var since: UInt32 = 0
    private var attempt: UInt8 = 0
    private var busyAt: UInt32?
    private var line = FixedBytes<96>()
    private var incoming = 0
    private var reason: Failure?

    private let accessPoint: StaticString

    /// A module that is about to be switched on.
    /// - Parameter accessPoint: the name of the network that it opens itself.
    public init(accessPoint: StaticString = "Tandem") { self.accessPoint = accessPoint }

    /// Whether a command may be given.
    public var isIdle: Bool { command == nil }
    /// Whether all bytes of what arrived at once were reported.
    public var isBetweenArrivals: Bool { incoming == 0 }

    // MARK: - Commands

    /// Begins a command without arguments.
    public mutating func begin(_ command: Command, at now: UInt32) {
        output.clear()
        switch command {
        case .restart: output.put(text: "AT+RST")
        case .station: output.put(text: "AT+CWMODE_CUR=1")
        case .accessPoint: output.put(text: "AT+CWMODE_CUR=3")
        case .visitors: output.put(text: "AT+CWLIF")
        case .scan: output.put(text: "AT+CWLAP")
        case .status: output.put(text: "AT+CIPSTATUS")
        case .close: output.put(text: "AT+CIPCLOSE")
        case .join, .open, .send: return
        }
        start(command, now)
    }

    /// Joins a network.
    public mutating func join(_ settings: LinkSettings, at now: UInt32) {
        output.clear()
        output.put(text: "AT+CWJAP_CUR=\"")
        putQuoted(settings.ssid)
        output.put(text: "\",\"")
        putQuoted(settings.password)
        output.append(UInt8(ascii: "\""))
        start(.join, now)
    }

    /// Opens a TCP connection.
    public mutating func open(host: FixedBytes<64>, port: UInt16, at now: UInt32) {
        output.clear()
        output.put(text: "AT+CIPSTART=\"TCP\",\"")
        putQuoted(host)
        output.put(text: "\",")
        output.put(decimal: Int64(port))
        start(.open, now)
    }

    /// Sends bytes over the connection.
    public mutating func send(_ bytes: FixedBytes<256>, at now: UInt32) {
        payload = bytes
        output.clear()
        output.put(text: "AT+CIPSEND=")
        output.put(decimal: Int64(bytes.count))
        start(.send, now)
    }

    /// Appends quoted bytes. A comma, a quote and a backslash are escaped by a backslash (section 3.2.2 of the
    /// instruction set).
    private mutating func putQuoted<let capacity: Int>(_ bytes: FixedBytes<capacity>) {
        for index in 0..<bytes.count {
            if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: ",")
                || bytes[index] == UInt8(ascii: "\\")
            {
                output.append(UInt8(ascii: "\\"))
            }
            output.append(bytes[index])
        }
    }

    private mutating func start(_ command: Command, _ now: UInt32) {
        output.put(text: "\r\n")
        self.command = command
        isSecondStep = false
        attempt = 0
        resend(now)
    }

    private mutating func resend(_ now: UInt32) {
        sent = 0
        sendsPayload = false
        busyAt = nil
        reason = nil
        since = now
    }

    private static func timeout(_ command: Command) -> UInt32 {
        switch command {
        case .restart: 5_000
        case .join: 20_000
        case .scan, .open: 10_000
        case .send: 5_000
        default: 2_000
        }
    }

    // MARK: - Turns

    /// Runs one turn; to be repeated while it returns an event.
    public mutating func poll(_ uart: inout some UART, at now: UInt32) -> Event? {
        pump(&uart)
        while let byte = uart.receive() {
            if incoming > 0 {
                incoming -= 1
                return .received(byte)
            }
            if let event = take(byte, now) { return event }
        }
        if let busy = busyAt, now &- busy >= Self.busyPause {
            attempt += 1
            if attempt >= Self.attempts { return finish(.busy) }
            resend(now)
            pump(&uart)
        }
        if let command, now &- since >= Self.timeout(command) {
            incoming = 0
            line.clear()
            return finish(.timedOut)
        }
        return nil
    }

    private mutating func pump(_ uart: inout some UART) {
        if sendsPayload {
            while sent < payload.count, uart.canSend {
                uart.send(payload[sent])
                sent += 1
            }
        } else if command != nil, busyAt == nil {
            while sent < output.count, uart.canSend {
                uart.send(output[sent])
                sent += 1
            }
        }
    }

    private mutating func take(_ byte: UInt8, _ now: UInt32) -> Event? {
        if byte == UInt8(ascii: "\r") { return nil }
        if byte == UInt8(ascii: "\n") {
            let event = line.count == 0 ? nil : takeLine(now)
            line.clear()
            return event
        }
        if byte == UInt8(ascii: ">"), line.count == 0, command == .send, !sendsPayload {
            sendsPayload = true
            sent = 0
            return nil
        }
        // A space follows the prompt, and belongs to no line.
        if byte == UInt8(ascii: " "), line.count == 0 { return nil }
        line.append(byte)
        // +IPD,12:twelve bytes
        if byte == UInt8(ascii: ":"), let count = receivedCount {
            incoming = count
            line.clear()
        }
        return nil
    }

    private var receivedCount: Int? {
        line.withBytes { text in
            guard hasPrefix(text, "+IPD,"), text.count > 6 else { return nil }
            guard let count = integer(text.extracting(5..<text.count - 1)), (1...2_920).contains(count) else {
                return nil
            }
            return Int(count)
        }
    }

    private func says(_ word: StaticString) -> Bool { line.withBytes { matches($0, word) } }
    private func begins(_ word: StaticString) -> Bool { line.withBytes { hasPrefix($0, word) } }

    private mutating func takeLine(_ now: UInt32) -> Event? {
        if says("ready") {
            guard command == .restart else {
                // Of a message that was being sent the rest would be taken for commands.
                command = nil
                sendsPayload = false
                busyAt = nil
                return .restarted
            }
            // Echo would send each command back.
            return next("ATE0", now)
        }
        if says("OK") {
            switch command {
            case .send: return nil
            case .restart where !isSecondStep: return nil
            case .accessPoint where !isSecondStep: return openAccessPoint(now)
            default: return finish(nil)
            }
        }
        if says("SEND OK"), command == .send { return finish(nil) }
        if says("SEND FAIL"), command == .send { return finish(.closed) }
        if says("ERROR") || says("FAIL") {
            if command == .close { return finish(nil) }
            return finish(reason ?? .refused)
        }
        if says("link is not valid") { reason = .closed }
        if says("ALREADY CONNECTED") { reason = .refused }
        if begins("busy ") {
            if command != nil, !sendsPayload { busyAt = now }
            return nil
        }
        if begins("+CWJAP:"), line.count == 8 {
            reason =
                switch line[7] {
                case UInt8(ascii: "2"): .wrongPassword
                case UInt8(ascii: "3"): .noAccessPoint
                default: .notJoined
                }
        }
        if says("CLOSED") {
            if command == .send { return finish(.closed) }
            return command == .close ? nil : .closed
        }
        if says("WIFI DISCONNECT"), command != .join, command != .restart { return .left }
        if begins("STATUS:"), line.count == 8, command == .status { return .status(line[7] &- UInt8(ascii: "0")) }
        if begins("+CWLAP:("), command == .scan { return takeNetwork() }
        if command == .visitors { return takeVisitor() }
        return nil
    }

    /// Reads the line of a station: `192.168.4.2,aa:bb:cc:dd:ee:ff`.
    private mutating func takeVisitor() -> Event? {
        visitorAddress.clear()
        for index in 0..<line.count {
            switch line[index] {
            case UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"): visitorAddress.append(line[index])
            case UInt8(ascii: ",") where index >= 7 && !visitorAddress.overflowed: return .visitor
            default: return nil
            }
        }
        return nil
    }

    /// Names the access point, which is open, as the original's is: `"Trivio","",5,0` is channel 5 without encryption.
    private mutating func openAccessPoint(_ now: UInt32) -> Event? {
        output.clear()
        output.put(text: "AT+CWSAP_CUR=\"")
        output.put(text: accessPoint)
        output.put(text: "\",\"\",5,0\r\n")
        return continueCommand(now)
    }

    /// Reads the line of a network: `+CWLAP:(3,"name",-52,"aa:bb:cc:dd:ee:ff",6,...)`; the name may hold a quote.
    private mutating func takeNetwork() -> Event? {
        guard line.count > 12, line[9] == UInt8(ascii: ","), line[10] == UInt8(ascii: "\"") else { return nil }
        let isOpen = line[8] == UInt8(ascii: "0")
        var end = 11
        networkName.clear()
        while end + 2 < line.count {
            let follows = line[end + 1] == UInt8(ascii: ",") && line[end + 2] == UInt8(ascii: "-")
            if line[end] == UInt8(ascii: "\""), follows { break }
            networkName.append(line[end])
            end += 1
        }
        guard networkName.count > 0, !networkName.overflowed else { return nil }
        var signal: Int16 = 0
        var index = end + 3
        while index < line.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[index]), signal < 100 {
            signal = signal * 10 + Int16(line[index] - UInt8(ascii: "0"))
            index += 1
        }
        return .network(signal: Int8(clamping: -signal), isOpen: isOpen)
    }

    private mutating func next(_ text: StaticString, _ now: UInt32) -> Event? {
        output.clear()
        output.put(text: text)
        output.put(text: "\r\n")
        return continueCommand(now)
    }

    private mutating func continueCommand(_ now: UInt32) -> Event? {
        isSecondStep = true
        resend(now)
        return nil
    }

    private mutating func finish(_ failure: Failure?) -> Event? {
        guard let command else { return nil }
        self.command = nil
        busyAt = nil
        sendsPayload = false
        reason = nil
        if let failure { return .failed(command, failure) }
        return .finished(command)
    }
}
