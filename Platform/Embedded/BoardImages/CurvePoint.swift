/// A point of the curve of Ed25519, in extended coordinates: x is X / Z, y is Y / Z, x times y is T / Z (RFC 8032, section 5.1.4).
struct CurvePoint: Sendable {
    var x: CurveField
    var y: CurveField
    var z: CurveField
    var t: CurveField

    /// The neutral point.
    static var zero: CurvePoint {
        CurvePoint(x: CurveField(0), y: CurveField(1), z: CurveField(1), t: CurveField(0))
    }

    /// The base point B (section 5.1).
    static var base: CurvePoint {
        let x = CurveField([
            0x8F25_D51A, 0xC956_2D60, 0x9525_A7B2, 0x692C_C760, 0xFDD6_DC5C, 0xC0A4_E231,
            0xCD6E_53FE, 0x2169_36D3,
        ])
        let y = CurveField([
            0x6666_6658, 0x6666_6666, 0x6666_6666, 0x6666_6666, 0x6666_6666, 0x6666_6666,
            0x6666_6666, 0x6666_6666,
        ])
        return CurvePoint(x: x, y: y, z: CurveField(1), t: x * y)
    }

    private init(x: CurveField, y: CurveField, z: CurveField, t: CurveField) {
        self.x = x
        self.y = y
        self.z = z
        self.t = t
    }

    /// Reads the 32 bytes of a point (section 5.1.3); nil where there is none, or its y is not the least number for it.
    init?(decoding bytes: InlineArray<32, UInt8>) {
        y = CurveField(0)
        for index in 0..<32 { y.words[index &>> 2] |= UInt32(bytes[index]) &<< (8 &* UInt32(index & 3)) }
        let isOdd = y.words[7] &>> 31
        y.words[7] &= 0x7FFF_FFFF
        let least = y.reduced
        for index in 0..<8 where least.words[index] != y.words[index] { return nil }
        // x squared is u / v.
        let square = y * y
        let u = square - CurveField(1)
        let v = CurveField.d * square + CurveField(1)
        let cube = v * v * v
        // The power by (p - 5) / 8, which is 2^252 - 1 - 2.
        x = u * cube * (u * cube * cube * v).power(ones: 252, without: 2)
        let check = v * x * x
        if !check.equals(u) {
            guard check.equals(CurveField(0) - u) else { return nil }
            x = x * CurveField.rootOfMinusOne
        }
        x = x.reduced
        if x.isZero, isOdd == 1 { return nil }
        if x.words[0] & 1 != isOdd { x = CurveField(0) - x }
        z = CurveField(1)
        t = x * y
    }

    /// The sum (section 5.1.4); it holds for a point and itself too.
    @inline(never)
    static func + (left: CurvePoint, right: CurvePoint) -> CurvePoint {
        let a = (left.y - left.x) * (right.y - right.x)
        let b = (left.y + left.x) * (right.y + right.x)
        let product = left.t * CurveField.d * right.t
        let c = product + product
        let doubled = left.z * right.z
        let d = doubled + doubled
        let (e, f, g, h) = (b - a, d - c, d + c, b + a)
        return CurvePoint(x: e * f, y: g * h, z: f * g, t: e * h)
    }

    /// The point with the other x.
    var negative: CurvePoint {
        CurvePoint(x: CurveField(0) - x, y: y, z: z, t: CurveField(0) - t)
    }

    /// Its 32 bytes (section 5.1.2).
    var encoded: InlineArray<32, UInt8> {
        let inverse = z.inverse
        var words = (y * inverse).reduced.words
        words[7] |= (x * inverse).reduced.words[0] &<< 31
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        for index in 0..<32 {
            bytes[index] = UInt8(truncatingIfNeeded: words[index &>> 2] &>> (8 &* UInt32(index & 3)))
        }
        return bytes
    }
}
