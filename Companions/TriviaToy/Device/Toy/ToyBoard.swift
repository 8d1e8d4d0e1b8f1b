import DeviceHAL

/// What the firmware stands on: the parts' lines, and a clock. A real board and the virtual one have it alike.
public protocol ToyBoard: Ticks {
    associatedtype Bus: I2CBus
    associatedtype Speech: UART
    associatedtype Radio: UART
    associatedtype Console: UART
    associatedtype Memory: FlashMemory
    associatedtype BatteryInput: AnalogInput
    associatedtype Light: RGBLight

    /// The accelerometer's bus.
    var bus: Bus { get set }
    /// The line to the speech module.
    var speech: Speech { get set }
    /// The line to the Wi-Fi module.
    var radio: Radio { get set }
    /// The serial line at which it is set up, often over USB.
    var console: Console { get set }
    /// The flash memory.
    var memory: Memory { get set }
    /// The battery's voltage.
    var battery: BatteryInput { get set }
    /// The light.
    var light: Light { get set }

    /// Whether a button is pressed now, bounces and all.
    func isDown(_ button: ToyButton) -> Bool
}
