import MotionLabEngine
import WasmBridge

// Rotation, acceleration, falls, steps, tilt and height of what is measured now: see LiveExports.swift.

/// How far the device was turned about an axis since the start, degrees.
@_expose(wasm, "turned")
@_cdecl("lab_turned")
public func turned(_ axis: Int32) -> Double { component(instrument.rotation.angles, axis) * 180 / .pi }

/// How far the sum is from where the device lay at the start, degrees: drift, where it lies there again.
@_expose(wasm, "drift")
@_cdecl("lab_drift")
public func drift() -> Double { instrument.rotation.drift.degrees }

/// The same a minute; NaN within the first second.
@_expose(wasm, "driftPerMinute")
@_cdecl("lab_drift_per_minute")
public func driftPerMinute() -> Double { instrument.rotation.drift.degreesPerMinute ?? .nan }

/// Pauses in which it may have been turned.
@_expose(wasm, "rotationGaps")
@_cdecl("lab_rotation_gaps")
public func rotationGaps() -> Int32 { Int32(clamping: instrument.rotation.gaps) }

/// The rotation is counted from here.
@_expose(wasm, "zero")
@_cdecl("lab_zero")
public func zero() { instrument.zeroRotation() }

/// How far the green rectangle is moved along an axis, for its size along it; 0 before the first sample.
@_expose(wasm, "rectangle")
@_cdecl("lab_rectangle")
public func rectangle(_ axis: Int32, _ size: Double) -> Double {
    guard let rate = instrument.sensor(.gyroscope)?.latest, rate.indices.contains(Int(axis)) else { return 0 }
    return Movement.rectangleOffset(rate: rate[Int(axis)], size: size)
}

/// What is done with the device: the number of the ``Movement/Direction``, and 16 where it is fast; -1 before.
@_expose(wasm, "movement")
@_cdecl("lab_movement")
public func movement() -> Int32 {
    guard let movement = instrument.movement else { return -1 }
    return Int32(movement.direction.rawValue) + (movement.isFast ? 16 : 0)
}

/// An axis of the acceleration without gravity, g; with an axis below nought all of them together; NaN before.
@_expose(wasm, "linear")
@_cdecl("lab_linear")
public func linear(_ axis: Int32) -> Double {
    guard let linear = instrument.linearAcceleration else { return .nan }
    return axis < 0 ? linear.magnitude : component(linear, axis)
}

/// How the device leans, degrees: 0 to the right, 1 its top edge up, 2 from lying on its back; NaN in free fall.
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

/// Steps since the start.
@_expose(wasm, "steps")
@_cdecl("lab_steps")
public func steps() -> Int32 { Int32(clamping: instrument.steps.count) }

/// Falls since the start.
@_expose(wasm, "falls")
@_cdecl("lab_falls")
public func falls() -> Int32 { Int32(clamping: instrument.falls) }

/// 1 while it falls.
@_expose(wasm, "isFalling")
@_cdecl("lab_is_falling")
public func isFalling() -> Int32 { instrument.isFalling ? 1 : 0 }

/// Of the last fall: 0 its seconds, 1 its metres, 2 by how many metres it may be off; NaN before the first.
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

/// Above where the stream of pressures began, m; NaN before the first.
@_expose(wasm, "altitude")
@_cdecl("lab_altitude")
public func altitude() -> Double { instrument.altitude.metres ?? .nan }

/// 1 where that is higher, -1 where it is lower, 0 where nobody could tell.
@_expose(wasm, "climb")
@_cdecl("lab_climb")
public func climb() -> Int32 { Int32(instrument.altitude.direction.rawValue) }

/// The temperature of the air that heights are computed with, °C; one that cannot be is not taken. Returns the one that
/// holds.
@_expose(wasm, "setCelsius")
@_cdecl("lab_set_celsius")
public func setCelsius(_ celsius: Double) -> Double {
    if celsius > -60, celsius < 60 { instrument.altitude.celsius = celsius }
    return instrument.altitude.celsius
}

/// Heights are counted from here.
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
