import Board
import DeviceHAL
import TriviaToyDevice

/// The toy's parts on this board.
struct ToyHardware: ToyBoard {
    var bus = SensorBus()
    var speech = SerialPort.speech
    var radio = SerialPort.radio
    var console = SerialPort.console
    var memory = Flash(pageCount: 248)
    var battery = BatteryVoltage()
    var light = ColorLight()
    private var clock = Clock()
    private let buttons = (up: InputPin(0), down: InputPin(1), middle: InputPin(2))

    /// Milliseconds since the reset.
    var milliseconds: UInt32 { clock.milliseconds }

    /// Waits.
    mutating func wait(microseconds: UInt32) { clock.wait(microseconds: microseconds) }

    /// Whether a button is pressed, which pulls its line low.
    func isDown(_ button: ToyButton) -> Bool {
        switch button {
        case .up: !buttons.up.isHigh
        case .down: !buttons.down.isHigh
        case .middle: !buttons.middle.isHigh
        }
    }
}
