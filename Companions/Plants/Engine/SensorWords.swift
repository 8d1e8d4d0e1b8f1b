import Wire

/// The words and topics beside numbers that sensors and the programs between send.
extension SensorMessage {
    /// Whether a text says that there is no value this time: `nan` of C and ESPHome, also before a unit, `None` of Python's
    /// templates, `unavailable` and `unknown` of Home Assistant, `null` of JSON, `undefined` of Node-RED, `(null)` of glibc's
    /// printf, `-nan(ind)` and `1.#QNAN` of Microsoft's, `<NA>` of pandas, `#N/A` of spreadsheets, a dash; in any case of
    /// letters.
    public static func isNoValue(_ text: Span<UInt8>) -> Bool {
        if spellsNaN(text) { return true }
        return matchesIgnoringCase(
            text,
            oneOf: [
                "none", "null", "unavailable", "unknown", "undefined", "n/a", "na", "nil", "-", "--", "---", "n.a.",
                "#n/a",
                "<na>", "<none>", "<null>", "(null)", "(none)", "no value", "no_value", "no data", "no_data", "nodata",
                "missing", "empty", "?", "–", "—", "unbekannt", "nicht verfügbar", "1.#qnan", "-1.#qnan", "1.#snan",
                "1.#ind", "-1.#ind",
            ])
    }

    /// Whether a text is `nan` with or without a sign, and perhaps what stands behind it, which is no letter of a word: a unit
    /// after a space, or `(ind)`.
    private static func spellsNaN(_ text: Span<UInt8>) -> Bool {
        var index = 0
        if index < text.count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") { index += 1 }
        guard text.count >= index + 3, matchesIgnoringCase(text.extracting(index..<index + 3), "nan") else {
            return false
        }
        guard index + 3 < text.count else { return true }
        let next = text[index + 3]
        return isASCIISpace(next) || next == UInt8(ascii: "(") || next == UInt8(ascii: "%")
    }

    /// Whether a text says how a device is, as its last will and its first message do, and Homie's `$state`.
    public static func isStateWord(_ text: Span<UInt8>) -> Bool {
        matchesIgnoringCase(
            text,
            oneOf: [
                "online", "offline", "connected", "disconnected", "alive", "dead", "ready", "lost", "init", "sleeping",
                "asleep", "awake", "starting", "booting", "restarting",
            ])
    }

    /// The quantity's part of a topic: the middle of ESPHome's `sensor/<name>/state`, otherwise all of it.
    static func nameRange(_ tail: Span<UInt8>) -> Range<Int> {
        let before = "sensor/".utf8.count
        let after = "/state".utf8.count
        guard hasPrefix(tail, "sensor/"), tail.count > before + after,
            matches(tail.extracting(tail.count - after..<tail.count), "/state")
        else { return 0..<tail.count }
        return before..<tail.count - after
    }

    /// The part of a message without a byte order mark, and without white space and NULs around it.
    static func contentRange(_ text: Span<UInt8>) -> Range<Int> {
        var start = 0
        var end = text.count
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { start = 3 }
        while start < end, isASCIISpace(text[start]) || text[start] == 0 { start += 1 }
        while end > start, isASCIISpace(text[end - 1]) || text[end - 1] == 0 { end -= 1 }
        return start..<end
    }

    /// The part of a text between its quotes, if it has them.
    static func unquotedRange(_ text: Span<UInt8>) -> Range<Int> {
        guard text.count >= 2, text[0] == text[text.count - 1],
            text[0] == UInt8(ascii: "\"") || text[0] == UInt8(ascii: "'")
        else { return 0..<text.count }
        return 1..<text.count - 1
    }

    /// Whether a text is `inf`, `-Infinity`, `1.#INF` or a number too large, as printf prints a division by zero.
    static func spellsNonNumber(_ text: Span<UInt8>) -> Bool {
        guard !text.isEmpty, decimal(text) == nil else { return false }
        let sign = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") ? 1 : 0
        let rest = text.extracting(sign..<text.count)
        if matchesIgnoringCase(rest, oneOf: ["inf", "infinity", "1.#inf"]) { return true }
        guard !rest.isEmpty, rest[0] &- UInt8(ascii: "0") < 10 else { return false }
        // Digits with a point and an exponent at most, and still no Double: it is too large. Not so an address.
        var points = 0
        for index in rest.indices {
            switch rest[index] {
            case UInt8(ascii: "."): points += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"):
                continue
            default: return false
            }
        }
        return points < 2 && rest[rest.count - 1] &- UInt8(ascii: "0") < 10
    }

    /// Whether a member or topic holds a time and measures nothing: Zigbee2MQTT's `last_seen`, `timestamp` of many, whatever they
    /// count in; `time`, and what ends in such a word as `updated_at` does, only where the number is one of the years 2020 to
    /// 2099, since `drying_time` may be a duration.
    ///
    /// It is not taken for `at`: it may be that of something else, such as of a battery's last change.
    static func isTime(_ name: Span<UInt8>, _ value: Double) -> Bool {
        guard Quantity(name: name) == nil else { return false }
        if matchesIgnoringCase(
            name,
            oneOf: ["last_seen", "lastseen", "last-seen", "timestamp", "time_stamp", "epoch", "unixtime", "unix_time"])
        {
            return true
        }
        guard SensorTime.isMoment(value) else { return false }
        if matchesIgnoringCase(
            name,
            oneOf: [
                "time", "ts", "date", "datetime", "utc", "now", "last_update", "last_updated", "last_changed",
                "lastupdate",
                "lastupdated", "updated", "t",
            ])
        {
            return true
        }
        for ending in 3...10 where ending < name.count {
            let end = name.extracting(name.count - ending..<name.count)
            if matchesIgnoringCase(
                end, oneOf: ["_at", "_ts", "_time", "_seen", "_date", "-time", "_timestamp", "timestamp"])
            {
                return true
            }
        }
        return false
    }
}
