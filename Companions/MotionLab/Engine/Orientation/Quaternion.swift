import Signals

/// A rotation as a unit quaternion: four numbers whose squares add up to one.
public struct Quaternion: Sendable, Equatable {
    /// The real part.
    public var w: Double
    /// The imaginary part along x.
    public var x: Double
    /// The imaginary part along y.
    public var y: Double
    /// The imaginary part along z.
    public var z: Double

    /// A quaternion of these parts.
    public init(w: Double, x: Double, y: Double, z: Double) {
        self.w = w
        self.x = x
        self.y = y
        self.z = z
    }

    /// The rotation by nothing.
    public static var identity: Quaternion { Quaternion(w: 1, x: 0, y: 0, z: 0) }

    /// A rotation about a vector, by as many radians as it is long.
    public init(rotation: Vector3) {
        let angle = rotation.magnitude
        // sin (a / 2) / a tends to a half.
        let factor = angle < 1e-9 ? 0.5 : sin(angle / 2) / angle
        self.init(w: cos(angle / 2), x: rotation.x * factor, y: rotation.y * factor, z: rotation.z * factor)
    }

    /// The rotation that takes the direction `up`, in the device, to the earth's z by the shortest way.
    public init?(levelling up: Vector3) {
        guard let up = up.normalized else { return nil }
        // Face down: half a turn about x is as short as any.
        guard up.z > -0.999999 else {
            self.init(w: 0, x: 1, y: 0, z: 0)
            return
        }
        self = Quaternion(w: 1 + up.z, x: up.y, y: -up.x, z: 0).normalized
    }

    /// The same rotation, with its length set to one again after many steps.
    public var normalized: Quaternion {
        let length = (w * w + x * x + y * y + z * z).squareRoot()
        guard length.isFinite, length > 0 else { return .identity }
        return Quaternion(w: w / length, x: x / length, y: y / length, z: z / length)
    }

    /// The rotation back.
    public var inverse: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

    /// The rotation by `right` first, then `left`.
    public static func * (left: Quaternion, right: Quaternion) -> Quaternion {
        Quaternion(
            w: left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z,
            x: left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
            y: left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
            z: left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w)
    }

    /// A vector, rotated.
    public func rotating(_ vector: Vector3) -> Vector3 {
        let axis = Vector3(x, y, z)
        let twice = axis.cross(vector) * 2
        return vector + twice * w + axis.cross(twice)
    }

    /// The angle of the rotation, radians from 0 to π.
    public var angle: Double {
        2 * atan2((x * x + y * y + z * z).squareRoot(), w.magnitude)
    }

    /// The earth's up, in the device.
    public var up: Vector3 {
        Vector3(2 * (x * z - w * y), 2 * (w * x + y * z), w * w - x * x - y * y + z * z)
    }
}
