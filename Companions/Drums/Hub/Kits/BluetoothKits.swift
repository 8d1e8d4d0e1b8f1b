import HubKit

/// The drums that the hub's own radio brings, for pages on phones whose browsers have no Bluetooth.
enum BluetoothKits {
    /// The most bytes of a packet of MIDI over Bluetooth LE, which a notification of the longest value has (Bluetooth Core 5.4,
    /// Vol 3, Part F, 3.2.9).
    static let mostBytes = 512

    /// The original kit, and the same by Tandem's own firmware: Nordic's UART service.
    static let original = BluetoothKind(kind: Drums.kitKind, model: "BeeBop", service: uart) {
        $0.services.contains(uart.uuid) || $0.name == "BeeBop"
    }
    /// Electronic drums: MIDI over Bluetooth Low Energy, specification 1.0 of the MIDI Association (RP-052).
    static let midi = BluetoothKind(kind: Drums.midiKind, model: "MIDI", service: messages) {
        $0.services.contains(messages.uuid)
    }

    private static let uart = BluetoothSerialService(
        uuid: "6e400001-b5a3-f393-e0a9-e50e24dcca9e", written: "6e400002-b5a3-f393-e0a9-e50e24dcca9e",
        notified: "6e400003-b5a3-f393-e0a9-e50e24dcca9e")
    private static let messages = BluetoothSerialService(
        uuid: "03b80e5a-ede8-4b33-a751-6ce34ec4c700", written: nil, notified: "7772e5db-3868-4112-a1a9-f2669d106bf3")
}
