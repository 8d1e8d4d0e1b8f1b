import Board
import DeviceHAL
import TriviaToyDevice
import TriviaToyEngine

/// The set-up of the sensor over its serial line: Improv Wi-Fi with the command that names the hub, as toys are set up.
struct SensorConsole {
    private var input = FixedBytes<265>()
    private var state = ImprovState.ready
    /// The settings that were received so far.
    private(set) var settings = LinkSettings()

    /// Whether somebody waits for an answer.
    var isBusy: Bool { state == .provisioning }

    /// Reads what has come, and answers.
    /// - Returns: whether the network of ``settings`` is to be joined.
    mutating func poll(_ line: inout SerialPort, known: LinkSettings?) -> Bool {
        if let answer = due {
            due = nil
            finish(answer, &line)
        }
        var taken = 0
        while taken < 64, let byte = line.receive() {
            taken += 1
            input.append(byte)
            if take(&line, known) { return true }
        }
        return false
    }

    /// Notes the outcome of joining, which the next turn tells.
    mutating func finish(isJoined: Bool) { if state == .provisioning { due = isJoined } }
    private var due: Bool?

    private mutating func finish(_ isJoined: Bool, _ line: inout SerialPort) {
        state = isJoined ? .provisioned : .ready
        say(.currentState, state.rawValue, nil, &line)
        say(.errorState, isJoined ? ImprovError.none.rawValue : ImprovError.unableToConnect.rawValue, nil, &line)
        if isJoined { say(.result, ImprovCommand.wifiSettingsNumber, 0, &line) }
    }

    private mutating func take(_ line: inout SerialPort, _ known: LinkSettings?) -> Bool {
        while input.count > 0 {
            let fault: ImprovPacket.Fault
            do throws(ImprovPacket.Fault) {
                let packet = try input.withBytes { (bytes) throws(ImprovPacket.Fault) in
                    try ImprovPacket(decoding: bytes)
                }
                let received = input
                input.clear()
                guard packet.kind == .command else { return false }
                return received.withBytes { bytes in obey(bytes.extracting(packet.data), &line, known) }
            } catch {
                fault = error
            }
            if fault == .cutOff, !input.overflowed { return false }
            if fault != .cutOff, fault != .noHeader { say(.errorState, ImprovError.invalidPacket.rawValue, nil, &line) }
            skip()
        }
        return false
    }

    /// Drops the beginning up to the next letter with which a packet may begin.
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

    private mutating func obey(_ data: Span<UInt8>, _ line: inout SerialPort, _ known: LinkSettings?) -> Bool {
        if settings.host.count == 0, let known { settings = known }
        if data.count > 0, data[0] == HubCommand.number {
            guard let command = HubCommand(decoding: data) else {
                say(.errorState, ImprovError.invalidPacket.rawValue, nil, &line)
                return false
            }
            settings.host = copy(data, command.host)
            settings.port = command.port
            settings.device = copy(data, command.device)
            settings.token = copy(data, command.token)
            say(.errorState, ImprovError.none.rawValue, nil, &line)
            say(.result, HubCommand.number, 0, &line)
            return false
        }
        switch ImprovCommand.decoding(data) {
        case .failure(let fault): say(.errorState, fault.error.rawValue, nil, &line)
        case .success(.requestState): say(.currentState, state.rawValue, nil, &line)
        case .success(.requestInformation), .success(.requestNetworks):
            say(.errorState, ImprovError.unknownCommand.rawValue, nil, &line)
        case .success(.wifiSettings(let ssid, let password)):
            settings.ssid = copy(data, ssid)
            settings.password = copy(data, password)
            guard settings.isComplete, settings.isSayable else {
                say(.errorState, ImprovError.badHostname.rawValue, nil, &line)
                return false
            }
            say(.errorState, ImprovError.none.rawValue, nil, &line)
            state = .provisioning
            say(.currentState, state.rawValue, nil, &line)
            return true
        }
        return false
    }

    private func say(_ kind: ImprovPacket.Kind, _ first: UInt8, _ second: UInt8?, _ line: inout SerialPort) {
        var data = FixedBytes<2>()
        data.append(first)
        if let second { data.append(second) }
        var packet = FixedBytes<16>()
        data.withBytes { bytes in ImprovPacket.encode(kind, data: bytes, into: &packet) }
        for index in 0..<packet.count { line.send(packet[index]) }
    }

    private func copy<let capacity: Int>(_ data: Span<UInt8>, _ range: Range<Int>) -> FixedBytes<capacity> {
        var bytes = FixedBytes<capacity>()
        for index in range { bytes.append(data[index]) }
        return bytes
    }
}
