import DeviceHAL

/// The signals of the toy's light; of several the one that stands first is shown. The colours are the original's.
public enum LightSignal: UInt8, CaseIterable, Sendable {
    /// The battery is low: red.
    case batteryLow = 0
    /// The toy is being set up: white.
    case settingUp = 1
    /// The toy is switching on: orange.
    case switchingOn = 2
    /// The toy is joining the network: pink.
    case joining = 3
    /// The toy is waiting for an answer of the hub: blue.
    case talkingToHub = 4
    /// The toy is connected: green.
    case connected = 5
    /// The toy is not connected: purple.
    case notConnected = 6

    /// The duty cycles of its colour.
    public var color: (red: UInt8, green: UInt8, blue: UInt8) {
        switch self {
        case .batteryLow: (255, 0, 0)
        case .settingUp: (255, 255, 255)
        case .switchingOn: (255, 110, 0)
        case .joining: (255, 60, 120)
        case .talkingToHub: (0, 0, 255)
        case .connected: (0, 255, 0)
        case .notConnected: (140, 0, 200)
        }
    }
}

/// The light, which shows the first of the signals that are on, and is driven only when that changes.
public struct StatusLight: Sendable {
    private var signals: UInt8 = 0
    /// The signal that is shown; nil before the first.
    public private(set) var shown: LightSignal?

    /// A dark light.
    public init() {}

    /// Switches a signal on or off.
    public mutating func set(_ signal: LightSignal, _ isOn: Bool) {
        if isOn { signals |= 1 << signal.rawValue } else { signals &= ~(1 << signal.rawValue) }
    }

    /// Drives the light.
    public mutating func update(_ light: inout some RGBLight) {
        let first = LightSignal(rawValue: UInt8(signals.trailingZeroBitCount))
        guard first != shown else { return }
        shown = first
        let color: (red: UInt8, green: UInt8, blue: UInt8) = first?.color ?? (0, 0, 0)
        light.set(red: color.red, green: color.green, blue: color.blue)
    }
}
