import CortexM

/// Which pin of the board leads where: the table that the code sets the pins by, and that the page for makers is drawn from.
enum Wiring {
    /// A pin of the chip.
    struct Place {
        /// The port: 0 is A, 1 is B, 2 is C.
        let port: UInt
        /// The number within the port.
        let number: UInt32
    }

    // wiring begins here
    static var consoleSend: Place { Place(port: 0, number: 9) }  // PA9 | USB serial adapter | RX | 115,200 baud, 3.3 V
    static var consoleReceive: Place { Place(port: 0, number: 10) }  // PA10 | USB serial adapter | TX | 115,200 baud, 3.3 V
    static var radioSend: Place { Place(port: 0, number: 2) }  // PA2 | ESP8266 or Bluetooth module | RX | 115,200 baud
    static var radioReceive: Place { Place(port: 0, number: 3) }  // PA3 | ESP8266 or Bluetooth module | TX | 115,200 baud
    static var speechSend: Place { Place(port: 1, number: 10) }  // PB10 | EMIC 2 (toy) | SIN | 9,600 baud
    static var speechReceive: Place { Place(port: 1, number: 11) }  // PB11 | EMIC 2 (toy) | SOUT | 5 V: this pin bears it
    static var busClock: Place { Place(port: 1, number: 6) }  // PB6 | MPU-6050, or Adafruit 4026 | SCL | pull-up 4.7 kOhm to 3.3 V
    static var busData: Place { Place(port: 1, number: 7) }  // PB7 | MPU-6050, or Adafruit 4026 | SDA | pull-up 4.7 kOhm to 3.3 V
    static var battery: Place { Place(port: 0, number: 1) }  // PA1 | battery | + | by two resistors of 100 kOhm, half the voltage
    static var memorySelect: Place { Place(port: 0, number: 4) }  // PA4 | W25Q32 | /CS |
    static var memoryClock: Place { Place(port: 0, number: 5) }  // PA5 | W25Q32 | CLK |
    static var memoryIn: Place { Place(port: 0, number: 6) }  // PA6 | W25Q32 | DO |
    static var memoryOut: Place { Place(port: 0, number: 7) }  // PA7 | W25Q32 | DI |
    static var red: Place { Place(port: 2, number: 6) }  // PC6 | RGB LED | red | 330 Ohm in series
    static var green: Place { Place(port: 2, number: 7) }  // PC7 | RGB LED | green | 330 Ohm in series
    static var blue: Place { Place(port: 2, number: 8) }  // PC8 | RGB LED | blue | 330 Ohm in series
    static var input0: Place { Place(port: 2, number: 0) }  // PC0 | button up (toy), piezo comparator 0 (kit) | | button to ground
    static var input1: Place { Place(port: 2, number: 1) }  // PC1 | button down (toy), piezo comparator 1 (kit) | | button to ground
    static var input2: Place { Place(port: 2, number: 2) }  // PC2 | button middle (toy), piezo comparator 2 (kit) | | button to ground
    static var input3: Place { Place(port: 2, number: 3) }  // PC3 | piezo comparator 3 (kit) | | 3.3 V while struck
    static var output0: Place { Place(port: 1, number: 12) }  // PB12 | lamp 0 (kit), LED (sensor) | gate | N-channel MOSFET
    static var output1: Place { Place(port: 1, number: 13) }  // PB13 | lamp 1 (kit), CH_PD of the ESP8266 (sensor) | gate |
    static var output2: Place { Place(port: 1, number: 14) }  // PB14 | lamp 2 (kit) | gate | N-channel MOSFET
    static var output3: Place { Place(port: 1, number: 15) }  // PB15 | lamp 3 (kit) | gate | N-channel MOSFET
    // wiring ends here

    /// What a pin is used as (GPIOx_MODER; RM0090, 8.4.1).
    enum Mode: UInt32 {
        case input = 0
        case output = 1
        case alternate = 2
        case analog = 3
    }

    static func base(_ place: Place) -> UInt { 0x4002_0000 + place.port * 0x400 }

    /// Sets up a pin.
    ///
    /// - Parameters:
    ///   - function: the alternate function, 0 to 15 (data sheet DS8626, table 9).
    ///   - isOpenDrain: whether it only pulls low.
    ///   - pull: 1 up, 2 down.
    static func set(_ place: Place, _ mode: Mode, function: UInt32 = 0, isOpenDrain: Bool = false, pull: UInt32 = 0) {
        // RCC_AHB1ENR: a bit a port (7.3.10).
        register(0x4002_3830).set(1 << UInt32(place.port))
        let base = base(place)
        let high = base + 0x20 + UInt(place.number / 8) * 4
        let shift = place.number % 8 * 4
        register(high).store(register(high).load() & ~(0xF << shift) | function << shift)
        if isOpenDrain { register(base + 0x04).set(1 << place.number) }
        let pulls = register(base + 0x0C)
        pulls.store(pulls.load() & ~(3 << place.number * 2) | pull << place.number * 2)
        let modes = register(base)
        modes.store(modes.load() & ~(3 << place.number * 2) | mode.rawValue << place.number * 2)
    }

    /// Connects a serial line with its pins, and gives it its clock.
    static func connect(line number: UInt) {
        switch number {
        case 0:
            // RCC_APB2ENR: bit 4 is USART1 (7.3.14).
            register(0x4002_3844).set(1 << 4)
            set(consoleSend, .alternate, function: 7)
            set(consoleReceive, .alternate, function: 7, pull: 1)
        case 1:
            // RCC_APB1ENR: bits 17 and 18 are USART2 and 3 (7.3.13).
            register(0x4002_3840).set(1 << 17)
            set(radioSend, .alternate, function: 7)
            set(radioReceive, .alternate, function: 7, pull: 1)
        default:
            register(0x4002_3840).set(1 << 18)
            set(speechSend, .alternate, function: 7)
            set(speechReceive, .alternate, function: 7, pull: 1)
        }
    }
}
