import MotionLabEngine
import WasmBridge

// Rotation, acceleration, falls, steps, tilt and height of what is measured now: see LiveExports.swift.

/// The rotation of the device about an axis since the start, degrees.
@_expose(wasm, "turned")
@_cdecl("lab_turned")
public func turned(_ axis: Int32) -> Double { component(instrument.rotation.angles, axis) * 180 / .pi }

/// The angle between how the device lies and how it lay at the start, degrees from 0 to 180.
@_expose(wasm, "away")
@_cdecl("lab_away")
public func away() -> Double { instrument.rotation.awayDegrees }

/// The drift of the sum to be expected until now, by what the gyroscope reads while the device lies still, degrees; NaN
/// before it lay still.
@_expose(wasm, "drift")
@_cdecl("lab_drift")
public func drift() -> Double { instrument.rotation.driftDegrees ?? .nan }

/// The drift a minute, in degrees; NaN before the device lay still.
@_expose(wasm, "driftPerMinute")
@_cdecl("lab_drift_per_minute")
public func driftPerMinute() -> Double { instrument.rotation.resting.degreesPerMinute ?? .nan }

/// 1 if the device lies still.
@_expose(wasm, "isAtRest")
@_cdecl("lab_is_at_rest")
public func isAtRest() -> Int32 { instrument.rotation.resting.isAtRest ? 1 : 0 }

/// The number of pauses in which the device may have been turned.
@_expose(wasm, "rotationGaps")
@_cdecl("lab_rotation_gaps")
public func rotationGaps() -> Int32 { Int32(clamping: instrument.rotation.gaps) }

/// Sets the rotation back to zero.
@_expose(wasm, "zero")
@_cdecl("lab_zero")
public func zero() { instrument.zeroRotation() }

/// The distance by which the green rectangle is moved along an axis, for its size along it; 0 before the first sample.
@_expose(wasm, "rectangle")
@_cdecl("lab_rectangle")
public func rectangle(_ axis: Int32, _ size: Double) -> Double {
    guard let rate = instrument.sensor(.gyroscope)?.latest, rate.indices.contains(Int(axis)) else { return 0 }
    return Movement.rectangleOffset(rate: rate[Int(axis)], size: size)
}

/// The movement of the device: the number of the ``Movement/Direction``, and 16 more if it is fast; -1 before the first
/// sample.
@_expose(wasm, "movement")
@_cdecl("lab_movement")
public func movement() -> Int32 {
    guard let movement = instrument.movement else { return -1 }
    return Int32(movement.direction.rawValue) + (movement.isFast ? 16 : 0)
}

/// An axis of the acceleration without gravity, g; with a negative axis the magnitude; NaN before the first sample.
@_expose(wasm, "linear")
@_cdecl("lab_linear")
public func linear(_ axis: Int32) -> Double {
    guard let linear = instrument.linearAcceleration else { return .nan }
    return axis < 0 ? linear.magnitude : component(linear, axis)
}

/// The tilt of the device, degrees: 0 its right edge down, 1 its top edge up, 2 from lying on its back; NaN in free fall.
@_expose(wasm, "tilt")
@_cdecl("lab_tilt")
public func tilt(_ which: Int32) -> Double {
    guard let tilt = instrument.tilt else { return .nan }
    return switch which {
    case 0: tilt.rollDegrees
    case 1: tilt.pitchDegrees
    default: tilt.inclinationDegrees
    }
}

/// The number of steps since the start.
@_expose(wasm, "steps")
@_cdecl("lab_steps")
public func steps() -> Int32 { Int32(clamping: instrument.steps.count) }

/// The number of falls since the start.
@_expose(wasm, "falls")
@_cdecl("lab_falls")
public func falls() -> Int32 { Int32(clamping: instrument.falls) }

/// 1 while the device falls.
@_expose(wasm, "isFalling")
@_cdecl("lab_is_falling")
public func isFalling() -> Int32 { instrument.isFalling ? 1 : 0 }

/// A number of the last fall: 0 its seconds, 1 its metres, 2 the uncertainty in metres; NaN before the first.
@_expose(wasm, "fall")
@_cdecl("lab_fall")
public func fall(_ which: Int32) -> Double {
    guard let fall = instrument.fall else { return .nan }
    return switch which {
    case 0: fall.seconds
    case 1: fall.metres
    default: fall.metresUncertainty
    }
}

/// The height above where the stream of pressures began, m; NaN before the first.
@_expose(wasm, "altitude")
@_cdecl("lab_altitude")
public func altitude() -> Double { instrument.altitude.metres ?? .nan }

/// 1 if that is higher, -1 if it is lower, 0 if the difference is too small to tell.
@_expose(wasm, "climb")
@_cdecl("lab_climb")
public func climb() -> Int32 { Int32(instrument.altitude.direction.rawValue) }

/// Sets the temperature of the air that heights are computed with, °C, unless it is impossible. Returns the one that is
/// used.
@_expose(wasm, "setCelsius")
@_cdecl("lab_set_celsius")
public func setCelsius(_ celsius: Double) -> Double {
    if celsius > -60, celsius < 60 { instrument.altitude.celsius = celsius }
    return instrument.altitude.celsius
}

/// Sets the height back to zero.
@_expose(wasm, "zeroAltitude")
@_cdecl("lab_zero_altitude")
public func zeroAltitude() { instrument.altitude.reset() }

private func component(_ vector: Vector3, _ axis: Int32) -> Double {
    switch axis {
    case 0: vector.x
    case 1: vector.y
    default: vector.z
    }
}
