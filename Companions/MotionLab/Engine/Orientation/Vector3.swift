import Signals

/// Three numbers that belong to the axes of a device, or of the earth.
public struct Vector3: Sendable, Equatable {
    /// The value along x.
    public var x: Double
    /// The value along y.
    public var y: Double
    /// The value along z.
    public var z: Double

    /// A vector of these values.
    public init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The vector of length 0.
    public static var zero: Vector3 { Vector3(0, 0, 0) }

    /// The length.
    public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

    /// The vector of length one in the same direction; nil for one without a direction.
    public var normalized: Vector3? {
        let length = magnitude
        guard length.isFinite, length > 0 else { return nil }
        return self * (1 / length)
    }

    /// The sum.
    public static func + (left: Vector3, right: Vector3) -> Vector3 {
        Vector3(left.x + right.x, left.y + right.y, left.z + right.z)
    }

    /// The difference.
    public static func - (left: Vector3, right: Vector3) -> Vector3 {
        Vector3(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    /// The product with a number.
    public static func * (vector: Vector3, factor: Double) -> Vector3 {
        Vector3(vector.x * factor, vector.y * factor, vector.z * factor)
    }

    /// The dot product.
    public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

    /// The cross product: the vector at right angles to both.
    public func cross(_ other: Vector3) -> Vector3 {
        Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}

/// The tilt of a device, from an acceleration with gravity.
public struct Tilt: Sendable, Equatable {
    /// The angle between the x axis and the horizontal: the right edge down is positive, degrees from -90 to 90. Like the
    /// pitch it is known in every position; an angle about y is none for a device that stands on its edge.
    public var rollDegrees: Double
    /// The angle between the y axis and the horizontal: the top edge up is positive, degrees from -90 to 90.
    public var pitchDegrees: Double
    /// The angle between the screen and the horizontal, degrees from 0 (face up) to 180 (face down).
    public var inclinationDegrees: Double

    /// The tilt by an acceleration.
    ///
    /// - Parameter acceleration: of a device that is not being moved, in any unit.
    /// - Returns: nil where it has no direction, as in free fall.
    public init?(_ acceleration: Vector3) {
        guard let up = acceleration.normalized else { return nil }
        let degrees = 180 / Double.pi
        rollDegrees = -asin(min(max(up.x, -1), 1)) * degrees
        pitchDegrees = asin(min(max(up.y, -1), 1)) * degrees
        inclinationDegrees = atan2((up.x * up.x + up.y * up.y).squareRoot(), up.z) * degrees
    }
}
