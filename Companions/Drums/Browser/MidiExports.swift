import DrumsEngine
import WasmBridge
import Wire

// One MIDI connection at a time.

// Safe, all four: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var stream = MIDIStream()
nonisolated(unsafe) private var packets = BluetoothMIDI()
nonisolated(unsafe) private var clock = BluetoothMIDIClock()
nonisolated(unsafe) private var pads = PadMap()

/// Begins a connection: forgets the part of a message and the clock of the one before, but not the pads.
@_expose(wasm, "midiBegin")
@_cdecl("drums_midi_begin")
public func midiBegin() {
    stream = MIDIStream()
    packets = BluetoothMIDI()
    clock = BluetoothMIDIClock()
}

/// Reads a message of Web MIDI from the buffer. The answer has 16 bytes for each stroke: u8 drum or 255, u8 note, u8
/// velocity, u8 channel, u32 0, f64 time of the stroke in milliseconds of the page's clock.
@_expose(wasm, "midiMessage")
@_cdecl("drums_midi_message")
public func midiMessage(_ count: Int32, _ arrival: Double) -> Int32 {
    var out: [UInt8] = []
    for stroke in stream.strokes(in: bytes(count)) { append(stroke, at: arrival, to: &out) }
    return answer(with: out)
}

/// Reads a packet of MIDI over Bluetooth LE from the buffer; answers as ``midiMessage(_:_:)``.
@_expose(wasm, "bleMidiPacket")
@_cdecl("drums_ble_midi_packet")
public func bleMidiPacket(_ count: Int32, _ arrival: Double) -> Int32 {
    var out: [UInt8] = []
    for stroke in packets.strokes(in: bytes(count)) {
        append(stroke, at: clock.time(ofTimestamp: stroke.timestamp, arrival: arrival), to: &out)
    }
    return answer(with: out)
}

/// Assigns a drum to a note; a number beyond the four drums assigns none.
@_expose(wasm, "mapPad")
@_cdecl("drums_map_pad")
public func mapPad(_ note: Int32, _ drum: Int32) {
    pads.assign(note: UInt8(clamping: note), to: Drum(rawValue: UInt8(clamping: drum)))
}

/// Removes all assignments of pads.
@_expose(wasm, "unmapPads")
@_cdecl("drums_unmap_pads")
public func unmapPads() { pads = .empty }

/// The map as bytes, to be stored.
@_expose(wasm, "padMap")
@_cdecl("drums_pad_map")
public func padMap() -> Int32 { answer(with: pads.bytes) }

/// Loads the map in the buffer; returns 0, or 1 for bytes that are not a map.
@_expose(wasm, "loadPadMap")
@_cdecl("drums_load_pad_map")
public func loadPadMap(_ count: Int32) -> Int32 {
    guard let map = PadMap(bytes: bytes(count)) else { return 1 }
    pads = map
    return 0
}

private func append(_ stroke: MIDIStroke, at time: Double, to out: inout [UInt8]) {
    out.append(contentsOf: [
        pads.drum(ofNote: stroke.note)?.rawValue ?? 0xFF, stroke.note, stroke.velocity, stroke.channel,
    ])
    out.append(littleEndian: UInt32(0))
    out.append(littleEndian: time.bitPattern)
}
