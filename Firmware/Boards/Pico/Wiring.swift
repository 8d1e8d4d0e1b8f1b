import CortexM

/// Which pin of the board leads where: the table that the code sets the pins by, and that the page for makers is drawn from.
enum Wiring {
    // wiring begins here
    static var consoleSend: UInt32 { 0 }  // GP0 | USB serial adapter | RX | 115,200 baud, 3.3 V
    static var consoleReceive: UInt32 { 1 }  // GP1 | USB serial adapter | TX | 115,200 baud, 3.3 V
    static var busData: UInt32 { 4 }  // GP4 | MPU-6050, or Adafruit 4026 | SDA | pull-up 4.7 kOhm to 3.3 V
    static var busClock: UInt32 { 5 }  // GP5 | MPU-6050, or Adafruit 4026 | SCL | pull-up 4.7 kOhm to 3.3 V
    static var speechSend: UInt32 { 6 }  // GP6 | EMIC 2 (toy) | SIN | 9,600 baud
    static var speechReceive: UInt32 { 7 }  // GP7 | EMIC 2 (toy) | SOUT | 5 V: by 10 kOhm, and 20 kOhm from the pin to ground
    static var radioSend: UInt32 { 8 }  // GP8 | ESP8266 or Bluetooth module | RX | 115,200 baud
    static var radioReceive: UInt32 { 9 }  // GP9 | ESP8266 or Bluetooth module | TX | 115,200 baud
    static var red: UInt32 { 10 }  // GP10 | RGB LED | red | 330 Ohm in series
    static var green: UInt32 { 11 }  // GP11 | RGB LED | green | 330 Ohm in series
    static var blue: UInt32 { 12 }  // GP12 | RGB LED | blue | 330 Ohm in series
    static var input0: UInt32 { 14 }  // GP14 | button up (toy), piezo comparator 0 (kit) | | button to ground
    static var input1: UInt32 { 15 }  // GP15 | button down (toy), piezo comparator 1 (kit) | | button to ground
    static var input2: UInt32 { 16 }  // GP16 | button middle (toy), piezo comparator 2 (kit) | | button to ground
    static var input3: UInt32 { 17 }  // GP17 | piezo comparator 3 (kit) | | 3.3 V while struck
    static var output0: UInt32 { 18 }  // GP18 | lamp 0 (kit), LED (sensor) | gate | N-channel MOSFET
    static var output1: UInt32 { 19 }  // GP19 | lamp 1 (kit), CH_PD of the ESP8266 (sensor) | gate |
    static var output2: UInt32 { 20 }  // GP20 | lamp 2 (kit) | gate | N-channel MOSFET
    static var output3: UInt32 { 21 }  // GP21 | lamp 3 (kit) | gate | N-channel MOSFET
    static var battery: UInt32 { 26 }  // GP26 | battery | + | by two resistors of 100 kOhm, half the voltage
    // wiring ends here

    /// The part of the chip that has a pin (GPIOn_CTRL.FUNCSEL; data sheet, 1.4.3).
    enum Function: UInt32 {
        case uart = 2
        case i2c = 3
        case pwm = 4
        case sio = 5
        case pio0 = 6
        case none = 31
    }

    /// Sets up a pin.
    ///
    /// - Parameter isPulledUp: whether it is high where nothing drives it.
    static func set(_ pin: UInt32, _ function: Function, isPulledUp: Bool = false) {
        // PADS_BANK0: bit 6 it can be read, 3 pulled up, 1 with hysteresis, 5:4 4 mA (2.19.6.3). One that measures has none of it.
        register(0x4001_C004 + UInt(pin) * 4)
            .store(function == .none ? 1 << 7 : 1 << 6 | 1 << 4 | 1 << 1 | (isPulledUp ? 1 << 3 : 0))
        register(0x4001_4004 + UInt(pin) * 8).store(function.rawValue)
    }

    /// Connects a serial line with its pins.
    static func connect(line number: UInt) {
        switch number {
        case 0:
            set(consoleSend, .uart)
            set(consoleReceive, .uart, isPulledUp: true)
        case 1:
            set(radioSend, .uart)
            set(radioReceive, .uart, isPulledUp: true)
        default:
            set(speechSend, .pio0)
            set(speechReceive, .pio0, isPulledUp: true)
        }
    }
}
