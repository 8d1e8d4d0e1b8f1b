import Wire

extension ImportedSamples {
    /// The samples of a table of Physics Toolbox's: `time,gFx,gFy,gFz,TgF`, several sensors beside each other, each row with
    /// those of one of them, with or without units in the names; times in seconds, or by the clock on the wall.
    ///
    /// - Parameter table: read with the column `time` as its exact one.
    static func physicsToolbox(_ table: NumberTable) throws(TableError) -> [ImportedSamples] {
        guard let time = place(of: "time", ["s"], in: table) ?? place(of: "Zeit", ["s"], in: table) else {
            throw .noTime
        }
        let times = self.times(of: table, time)
        var imported: [ImportedSamples] = []
        for (kind, columns, units) in physicsToolboxColumns {
            guard !imported.contains(where: { $0.kind == kind }) else { continue }
            var places: [Int] = []
            for column in columns { if let place = place(of: column, units, in: table) { places.append(place) } }
            guard places.count == columns.count else { continue }
            let samples = rows(of: table, places, kind, .physicsToolbox, isAbsolute: false, isSparse: true) {
                times[$0]
            }
            if !samples.times.isEmpty || samples.skipped > 0 { imported.append(samples) }
        }
        guard !imported.isEmpty else { throw .noSensor }
        return imported
    }

    /// The columns of its sensors, and the units that newer versions write behind the names. One in another unit is left.
    private static var physicsToolboxColumns: [(SensorKind, [StaticString], [StaticString])] {
        [
            (.accelerometer, ["gFx", "gFy", "gFz"], ["g", "gF"]),
            (.linearAcceleration, ["ax", "ay", "az"], ["m/s^2", "m/s²", "m/s2"]),
            (.gyroscope, ["wx", "wy", "wz"], ["rad/s"]),
            (.magnetometer, ["Bx", "By", "Bz"], ["µT"]),
            (.barometer, ["p"], ["hPa", "mbar"]),
            (.light, ["I"], ["lx", "lux"]),
            (.sound, ["dB"], ["dB"]),
        ]
    }

    /// The column of a name, that stands alone or has one of these units behind it in brackets; of several the first with a
    /// number in it.
    private static func place(of name: StaticString, _ units: [StaticString], in table: NumberTable) -> Int? {
        table.preferred(
            table.names.indices.filter { place in
                let whole = table.names[place]
                let text = whole.span
                guard let open = whole.firstIndex(of: UInt8(ascii: "(")) else { return matches(text, name) }
                let base = trimmedRange(text.extracting(0..<open))
                guard matches(text.extracting(base), name), whole.last == UInt8(ascii: ")") else { return false }
                let unit = text.extracting((open + 1)..<(whole.count - 1))
                for known in units where matches(unit, known) { return true }
                return false
            })
    }

    /// The time of each row since the first, microseconds. Where they are by the clock on the wall, midnight goes on.
    private static func times(of table: NumberTable, _ place: Int) -> [Int64?] {
        var times: [Int64?] = []
        var days: Int64 = 0
        var last: Int64?
        for row in 0..<table.rowCount {
            if let seconds = table.columns[place][row] {
                times.append(microseconds(seconds))
                continue
            }
            guard place == table.exactPlace, var time = clock(table.exact(row)) else {
                times.append(nil)
                continue
            }
            time += days * 86_400_000_000
            if let last, time < last - 43_200_000_000 {
                days += 1
                time += 86_400_000_000
            }
            last = time
            times.append(time)
        }
        return times
    }

    /// The microseconds since midnight that `13:05:10:123` or `13:05:10.123` says.
    private static func clock(_ text: [UInt8]) -> Int64? {
        var parts: [Int64] = []
        var digits = 0
        var value: Int64 = 0
        for byte in text + [UInt8(ascii: ":")] {
            if byte &- UInt8(ascii: "0") < 10 {
                digits += 1
                guard digits <= 6 else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                continue
            }
            guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "."), digits > 0, parts.count < 4 else {
                return nil
            }
            // A fraction of a second: milliseconds, of however many digits.
            if parts.count == 3 { for _ in digits..<6 { value *= 10 } }
            parts.append(value)
            (digits, value) = (0, 0)
        }
        guard parts.count >= 3, parts[0] < 24, parts[1] < 60, parts[2] < 61 else { return nil }
        return (parts[0] * 3_600 + parts[1] * 60 + parts[2]) * 1_000_000 + (parts.count > 3 ? parts[3] : 0)
    }
}
