import TriviaToyEngine
import WasmBridge
import Wire

// The set-up of a toy over a cable: the page passes bytes on, and what they say is the engine's.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var reader = ImprovReader()

/// Another cable is read from its first byte.
@_expose(wasm, "improvReset")
@_cdecl("toy_improv_reset")
public func improvReset() { reader = ImprovReader() }

/// Makes the packet of a command without settings the answer: 2 asks for the state, 3 what the device is, 4 for networks.
@_expose(wasm, "improvCommand")
@_cdecl("toy_improv_command")
public func improvCommand(_ number: Int32) -> Int32 {
    var packet: [UInt8] = []
    ImprovPacket.encode(.command, data: [UInt8(truncatingIfNeeded: number), 0].span, into: &packet)
    return answer(with: packet)
}

/// Makes the packet that has a device join a network the answer; the buffer holds the network's name, and behind it the
/// password. Returns 0 where the name is empty or longer than 32 bytes, and -1 where the password is longer than 63.
@_expose(wasm, "improvJoin")
@_cdecl("toy_improv_join")
public func improvJoin(_ name: Int32, _ password: Int32) -> Int32 {
    guard (1...32).contains(name) else { return 0 }
    guard (0...63).contains(password) else { return -1 }
    let given = bytes(name + password)
    var data: [UInt8] = []
    ImprovCommand.encodeWifiSettings(
        ssid: given.span.extracting(first: Int(name)), password: given.span.extracting(droppingFirst: Int(name)),
        into: &data)
    var packet: [UInt8] = []
    ImprovPacket.encode(.command, data: data.span, into: &packet)
    return answer(with: packet)
}

/// Makes the packet that tells a toy its hub the answer; the buffer holds host, device id and token one behind the other.
/// Returns 0 where one of them is nothing, or longer than a toy takes.
@_expose(wasm, "improvHub")
@_cdecl("toy_improv_hub")
public func improvHub(_ host: Int32, _ port: Int32, _ device: Int32, _ token: Int32) -> Int32 {
    guard (1...64).contains(host), (1...65_535).contains(port), (1...32).contains(device), (0...64).contains(token)
    else { return 0 }
    let given = bytes(host + device + token)
    let (second, third) = (Int(host), Int(host + device))
    var data: [UInt8] = []
    HubCommand.encode(
        host: given.span.extracting(first: second), port: UInt16(port),
        device: given.span.extracting(second..<third), token: given.span.extracting(droppingFirst: third), into: &data)
    var packet: [UInt8] = []
    ImprovPacket.encode(.command, data: data.span, into: &packet)
    return answer(with: packet)
}

/// Takes what the buffer holds of what came over the cable.
@_expose(wasm, "improvReceive")
@_cdecl("toy_improv_receive")
public func improvReceive(_ count: Int32) { reader.append(bytes(count).span) }

/// Makes the next packet that came whole the answer: the number of its ``ImprovPacket/Kind``, and its data. Returns 0 until
/// more comes.
@_expose(wasm, "improvNext")
@_cdecl("toy_improv_next")
public func improvNext() -> Int32 {
    guard let message = reader.next() else { return 0 }
    return answer(with: [message.kind.rawValue] + message.data)
}
