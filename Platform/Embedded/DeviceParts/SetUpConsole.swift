import DeviceHAL
import Wire

/// The set-up of a device over its serial line: Improv Wi-Fi, and ``HubCommand``. It answers at any time, and after an error
/// the next attempt needs no restart.
public struct SetUpConsole: Sendable {
    /// The longest packet: head, 255 bytes of data, checksum.
    private var input = FixedBytes<265>()
    private var output = FixedBytes<128>()
    private var sent = 0
    /// The state that is told.
    public private(set) var state = ImprovState.ready
    /// The settings of network and hub that were received so far.
    public private(set) var settings = LinkSettings()

    /// Whether somebody waits for an answer.
    public var isBusy: Bool { state == .provisioning || sent < output.count }

    /// A console that has received nothing.
    public init() {}

    /// Reads and sends, a bounded number of bytes a turn.
    /// - Returns: whether the device is to join the network of ``settings``.
    public mutating func poll(_ line: inout some UART, known: LinkSettings?) -> Bool {
        while sent < output.count, line.canSend {
            line.send(output[sent])
            sent += 1
        }
        // One answer after the other: what comes meanwhile waits in the line.
        guard sent == output.count else { return false }
        output.clear()
        sent = 0
        for _ in 0..<64 {
            guard let byte = line.receive() else { return false }
            input.append(byte)
            guard let packet = packet() else { continue }
            let received = input
            input.clear()
            guard packet.kind == .command else { return false }
            return received.withBytes { bytes in take(bytes.extracting(packet.data), known) }
        }
        return false
    }

    /// Reports the outcome of joining.
    public mutating func finish(_ failure: ESP8266.Failure?) {
        guard state == .provisioning else { return }
        if failure == nil {
            enter(.provisioned)
            say(.errorState, ImprovError.none.rawValue)
            // The result of the command, without an address to go on to.
            say(.result, ImprovCommand.wifiSettingsNumber, 0)
        } else {
            enter(.ready)
            say(.errorState, ImprovError.unableToConnect.rawValue)
        }
    }

    /// The next complete packet, if any; bytes that cannot be the beginning of one are dropped.
    private mutating func packet() -> ImprovPacket? {
        while input.count > 0 {
            let fault: ImprovPacket.Fault
            do throws(ImprovPacket.Fault) {
                return try input.withBytes { (bytes) throws(ImprovPacket.Fault) in try ImprovPacket(decoding: bytes) }
            } catch {
                fault = error
            }
            switch fault {
            case .cutOff:
                // The rest of a torn packet is not waited for once the next one is whole.
                if let whole = wholePacket() { return whole }
                if input.overflowed { input.clear() }
                return nil
            case .noHeader: break
            case .unknownVersion, .unknownType, .checksum: say(.errorState, ImprovError.invalidPacket.rawValue)
            }
            skip()
        }
        return nil
    }

    /// Drops the beginning of the input up to the next letter with which a packet may begin: one that was torn has the next
    /// one's first bytes in it.
    private mutating func skip() {
        let all = input
        input.clear()
        var place = 1
        while place < all.count, all[place] != ImprovPacket.letter(0) { place += 1 }
        while place < all.count {
            input.append(all[place])
            place += 1
        }
    }

    /// A whole packet behind the beginning of the one that is waited for, which is dropped; nil where there is none.
    private mutating func wholePacket() -> ImprovPacket? {
        let all = input
        for place in 1..<max(all.count, 1) where all[place] == ImprovPacket.letter(0) {
            let isWhole = all.withBytes { bytes in
                (try? ImprovPacket(decoding: bytes.extracting(place..<bytes.count))) != nil
            }
            guard isWhole else { continue }
            input.clear()
            for index in place..<all.count { input.append(all[index]) }
            return input.withBytes { bytes in try? ImprovPacket(decoding: bytes) }
        }
        return nil
    }

    private mutating func take(_ data: Span<UInt8>, _ known: LinkSettings?) -> Bool {
        // The network of one try and the hub of another belong together.
        if settings.host.count == 0, let known { settings = known }
        if data.count > 0, data[0] == HubCommand.number {
            guard let command = HubCommand(decoding: data) else {
                say(.errorState, ImprovError.invalidPacket.rawValue)
                return false
            }
            settings.user = 0
            settings.host = Self.copy(data, command.host)
            settings.port = command.port
            settings.device = Self.copy(data, command.device)
            settings.token = Self.copy(data, command.token)
            settings.key = command.key.map { Self.copy(data, $0) } ?? FixedBytes<32>()
            say(.errorState, ImprovError.none.rawValue)
            say(.result, HubCommand.number, 0)
            return false
        }
        switch ImprovCommand.decoding(data) {
        case .failure(let fault): say(.errorState, fault.error.rawValue)
        case .success(.requestState): say(.currentState, state.rawValue)
        case .success(.requestInformation), .success(.requestNetworks):
            say(.errorState, ImprovError.unknownCommand.rawValue)
        case .success(.wifiSettings(let ssid, let password)):
            settings.ssid = Self.copy(data, ssid)
            settings.password = Self.copy(data, password)
            guard settings.isComplete, settings.isSayable else {
                // Either nobody has said which hub, or a name has a line end in it.
                say(
                    .errorState,
                    settings.isComplete ? ImprovError.invalidPacket.rawValue : ImprovError.badHostname.rawValue)
                return false
            }
            say(.errorState, ImprovError.none.rawValue)
            enter(.provisioning)
            return true
        }
        return false
    }

    private mutating func enter(_ state: ImprovState) {
        self.state = state
        say(.currentState, state.rawValue)
    }

    private mutating func say(_ kind: ImprovPacket.Kind, _ first: UInt8, _ second: UInt8? = nil) {
        var data = FixedBytes<2>()
        data.append(first)
        if let second { data.append(second) }
        data.withBytes { bytes in ImprovPacket.encode(kind, data: bytes, into: &output) }
    }

    private static func copy<let capacity: Int>(_ data: Span<UInt8>, _ range: Range<Int>) -> FixedBytes<capacity> {
        var bytes = FixedBytes<capacity>()
        for index in range { bytes.append(data[index]) }
        return bytes
    }
}
