import Signals

/// Three numbers that belong to the axes of a device, or of the earth.
public struct Vector3: Sendable, Equatable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Nothing on each axis.
    public static var zero: Vector3 { Vector3(0, 0, 0) }

    /// How long it is.
    public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

    /// The same direction, one long; nil for one that has none.
    public var normalized: Vector3? {
        let length = magnitude
        guard length.isFinite, length > 0 else { return nil }
        return self * (1 / length)
    }

    public static func + (left: Vector3, right: Vector3) -> Vector3 {
        Vector3(left.x + right.x, left.y + right.y, left.z + right.z)
    }

    public static func - (left: Vector3, right: Vector3) -> Vector3 {
        Vector3(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    public static func * (vector: Vector3, factor: Double) -> Vector3 {
        Vector3(vector.x * factor, vector.y * factor, vector.z * factor)
    }

    /// The sum of the products of the axes.
    public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

    /// What is at right angles to both.
    public func cross(_ other: Vector3) -> Vector3 {
        Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}

/// How a device leans, from an acceleration with gravity.
public struct Tilt: Sendable, Equatable {
    /// About y: the right edge down is positive, degrees from -180 to 180.
    public var rollDegrees: Double
    /// About x: the top edge up is positive, degrees from -90 to 90.
    public var pitchDegrees: Double
    /// Between the screen and the horizontal, degrees from 0 (face up) to 180 (face down).
    public var inclinationDegrees: Double

    /// - Parameter acceleration: of a device that is not being moved, in any unit.
    /// - Returns: nil where it has no direction, as in free fall.
    public init?(_ acceleration: Vector3) {
        guard let up = acceleration.normalized else { return nil }
        let degrees = 180 / Double.pi
        rollDegrees = -atan2(up.x, up.z) * degrees
        pitchDegrees = asin(up.y) * degrees
        inclinationDegrees = atan2((up.x * up.x + up.y * up.y).squareRoot(), up.z) * degrees
    }
}
