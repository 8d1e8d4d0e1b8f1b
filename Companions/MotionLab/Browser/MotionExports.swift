import MotionLabEngine
import WasmBridge

// Rotation, acceleration, falls, steps, tilt and height of what is measured now: see LiveExports.swift.

/// The rotation since the start. `x`, `y` and `z`: about each axis, degrees; `away`: the angle between how the device lies and
/// how it lay then, degrees from 0 to 180; `drift`: of the sum, to be expected until now by what the gyroscope reads while the
/// device lies still, degrees, NaN before it lay still as is `driftPerMinute`.
@_expose(wasm, "rotation")
@_cdecl("lab_rotation")
public func rotationView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        let rotation = instrument.rotation
        view.write("x", rotation.angles.x * 180 / .pi)
        view.write("y", rotation.angles.y * 180 / .pi)
        view.write("z", rotation.angles.z * 180 / .pi)
        view.write("away", rotation.awayDegrees)
        view.write("drift", rotation.driftDegrees, none: .nan)
        view.write("driftPerMinute", rotation.resting.degreesPerMinute, none: .nan)
        view.write("isAtRest", rotation.resting.isAtRest)
    }
}

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

/// The acceleration, and what follows from it. `x`, `y`, `z` and `magnitude`: without gravity, g, NaN before the first
/// sample; `roll`, `pitch` and `inclination`: the tilt, degrees, its right edge down, its top edge up, and from lying on
/// its back, NaN in free fall; `steps` and `falls`: since the start; `fallSeconds`, `fallMetres` and `fallUncertainty`,
/// metres: of the last fall, NaN before the first.
@_expose(wasm, "acceleration")
@_cdecl("lab_acceleration")
public func accelerationView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        let linear = instrument.linearAcceleration
        view.write("x", linear?.x, none: .nan)
        view.write("y", linear?.y, none: .nan)
        view.write("z", linear?.z, none: .nan)
        view.write("magnitude", linear?.magnitude, none: .nan)
        let tilt = instrument.tilt
        view.write("roll", tilt?.rollDegrees, none: .nan)
        view.write("pitch", tilt?.pitchDegrees, none: .nan)
        view.write("inclination", tilt?.inclinationDegrees, none: .nan)
        view.write("steps", instrument.steps.count)
        view.write("falls", instrument.falls)
        view.write("isFalling", instrument.isFalling)
        let fall = instrument.fall
        view.write("fallSeconds", fall?.seconds, none: .nan)
        view.write("fallMetres", fall?.metres, none: .nan)
        view.write("fallUncertainty", fall?.metresUncertainty, none: .nan)
    }
}

/// The height above where the stream of pressures began: `metres`, NaN before the first; `climb`: 1 if that is higher, -1 if it
/// is lower, 0 if the difference is too small to tell.
@_expose(wasm, "altitude")
@_cdecl("lab_altitude")
public func altitudeView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        view.write("metres", instrument.altitude.metres, none: .nan)
        view.write("climb", instrument.altitude.direction.rawValue)
    }
}

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
