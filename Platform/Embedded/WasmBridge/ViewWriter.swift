/// A view as it is written: the state of one thing as numbers in a fixed order, or the names of these numbers.
///
/// One function writes both, so that no second list of the names stands in JavaScript. What a view is asked for, its
/// `isDescribing`, is 0 for the numbers, f64 each with the lowest byte first, and 1 for the names, with a space behind each.
public struct ViewWriter {
    fileprivate let isDescribing: Bool
    fileprivate var bytes: [UInt8] = []

    fileprivate init(isDescribing: Int32) { self.isDescribing = isDescribing != 0 }

    // Once in a module, and not at each field.
    @inline(never)
    private mutating func append(_ name: UnsafePointer<UInt8>, _ number: Double) {
        guard isDescribing else {
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64(place)))) }
            return
        }
        // A zero ends it.
        var place = name
        while place.pointee != 0 {
            bytes.append(place.pointee)
            place += 1
        }
        bytes.append(UInt8(ascii: " "))
    }

    /// Writes a field, or what stands for none.
    @inline(__always)
    public mutating func write(_ name: StaticString, _ number: Double?, none: Double = 0) {
        append(name.utf8Start, number ?? none)
    }

    /// Writes a field of a whole number, or what stands for none.
    @inline(__always)
    public mutating func write(_ name: StaticString, _ number: (some BinaryInteger)?, none: Double = 0) {
        append(name.utf8Start, number.map { Double(Int64(clamping: $0)) } ?? none)
    }

    /// Writes a field that is 1 for true, and 0 for false or none.
    @inline(__always)
    public mutating func write(_ name: StaticString, _ flag: Bool?) { append(name.utf8Start, flag == true ? 1 : 0) }
}

/// Makes a view the answer; returns its count of bytes, which the export returns in turn.
public func answer(view isDescribing: Int32, _ write: (inout ViewWriter) -> Void) -> Int32 {
    var view = ViewWriter(isDescribing: isDescribing)
    write(&view)
    return answer(with: view.bytes)
}

/// Makes a view of a list the answer, with a row of the same fields for each element; returns its count of bytes. Of a
/// list without elements neither is told.
public func answer<Rows: Sequence>(
    rows: Rows, _ isDescribing: Int32, _ write: (inout ViewWriter, Rows.Element) -> Void
) -> Int32 {
    answer(view: isDescribing) { view in
        for row in rows {
            write(&view, row)
            if view.isDescribing { break }
        }
    }
}
