import DeviceHAL

/// The hardware that the firmware runs on: the lines to the parts, and a clock. A real board and the virtual one
/// implement it alike.
public protocol ToyBoard: Ticks {
    /// The accelerometer's bus.
    associatedtype Bus: I2CBus
    /// The line to the speech module.
    associatedtype Speech: UART
    /// The line to the Wi-Fi module.
    associatedtype Radio: UART
    /// The serial line for the set-up.
    associatedtype Console: UART
    /// The flash memory.
    associatedtype Memory: FlashMemory
    /// The input of the battery's voltage.
    associatedtype BatteryInput: AnalogInput
    /// The light.
    associatedtype Light: RGBLight

    /// The accelerometer's bus.
    var bus: Bus { get set }
    /// The line to the speech module.
    var speech: Speech { get set }
    /// The line to the Wi-Fi module.
    var radio: Radio { get set }
    /// The serial line for the set-up, often over USB.
    var console: Console { get set }
    /// The flash memory.
    var memory: Memory { get set }
    /// The battery's voltage.
    var battery: BatteryInput { get set }
    /// The light.
    var light: Light { get set }

    /// Whether a button is pressed now, not debounced.
    func isDown(_ button: ToyButton) -> Bool
}
