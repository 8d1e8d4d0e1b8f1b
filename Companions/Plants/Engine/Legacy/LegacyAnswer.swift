import Wire

/// Writes what the host publishes on `rpi/fromrpi`.
public enum LegacyAnswer {
    /// `ID:0;sender:Host-RPI3B+;receiver:<client>;payload:<payload>;operation:<tag>`
    static func message(to client: [UInt8], payload: [UInt8], tag: StaticString) -> [UInt8] {
        var text = TextWriter()
        text.write("ID:0;sender:")
        text.write(LegacyMessage.host)
        text.write(";receiver:")
        text.write(bytes: client)
        text.write(";payload:")
        text.write(bytes: payload)
        text.write(";operation:")
        text.write(tag)
        return text.bytes
    }

    /// An error, whose payload is the message that caused it with `;` written `||` and `:` written `--`, as the
    /// documentation has it. (host.py 1.0.0 wrote a single `|`; its app reads neither back.)
    public static func error(_ tag: LegacyErrorTag, to client: [UInt8], about message: [UInt8]) -> [UInt8] {
        var payload = TextWriter()
        for byte in message {
            switch byte {
            case UInt8(ascii: ";"): payload.write("||")
            case UInt8(ascii: ":"): payload.write("--")
            default: payload.write(byte: byte)
            }
        }
        // The app cannot read an empty value; `null` is what host.py begins with.
        if message.isEmpty { payload.write("null") }
        return self.message(to: client, payload: payload.bytes, tag: tag.tag)
    }

    /// `ERR_kickedForSpam`, with the payload `none`; the app disconnects when it reads it.
    public static func kickedForSpam(to client: [UInt8]) -> [UInt8] {
        var payload = TextWriter()
        payload.write("none")
        return message(to: client, payload: payload.bytes, tag: LegacyErrorTag.kickedForSpam.tag)
    }

    /// A plant as JSON, `{"Sensors"-- "[\"36\"]", "Name"-- "Fern"}`, with `:` written `--`.
    static func plantInfo(_ plant: LegacyPlant) -> [UInt8] {
        var json = TextWriter()
        plant.write(to: &json)
        return escapedForMessage(json.bytes)
    }

    /// A reading as Python prints a dictionary, with `:` written `--`:
    /// `{'moisture'-- 4, 'temperature'-- 71, 'plant'-- 'Fern', 'sensor'-- '36'}`.
    static func sensorData(_ value: LegacySensorValue, tenths: Int64, plant: [UInt8], sensor: [UInt8]) -> [UInt8] {
        var text = TextWriter()
        text.write("{'moisture'-- ")
        text.write(tenths)
        if let fahrenheit = value.fahrenheit {
            text.write(", 'temperature'-- ")
            text.write(fahrenheit)
        }
        text.write(", 'plant'-- ")
        write(quoted: plant, to: &text)
        text.write(", 'sensor'-- ")
        write(quoted: sensor, to: &text)
        text.write("}")
        return text.bytes
    }

    /// The app turns every `'` into `"`, every `--` into `:`, and then reads JSON. Inside the quotes, what it would
    /// misread is therefore written as a JSON escape, which it reads back.
    private static func write(quoted text: [UInt8], to writer: inout TextWriter) {
        writer.write("'")
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: "-"),
                0..<0x20:
                // A lone hyphen is harmless, and the original sends it as it is.
                let doubled =
                    index + 1 < text.count && text[index + 1] == UInt8(ascii: "-")
                    || index > 0 && text[index - 1] == UInt8(ascii: "-")
                if byte == UInt8(ascii: "-"), !doubled {
                    writer.write(byte: byte)
                } else {
                    writer.write(jsonEscaped: UInt32(byte))
                }
            case UInt8(ascii: ":"): writer.write("--")
            default: writer.write(byte: byte)
            }
            index += 1
        }
        writer.write("'")
    }

    /// The same for JSON that is already written: `:` becomes `--`; `;`, `'` and hyphens in a row become escapes.
    /// Outside its strings our JSON has none of the latter.
    private static func escapedForMessage(_ json: [UInt8]) -> [UInt8] {
        var writer = TextWriter()
        for (index, byte) in json.enumerated() {
            switch byte {
            case UInt8(ascii: ":"): writer.write("--")
            case UInt8(ascii: ";"), UInt8(ascii: "'"): writer.write(jsonEscaped: UInt32(byte))
            case UInt8(ascii: "-"):
                let doubled =
                    index + 1 < json.count && json[index + 1] == byte || index > 0 && json[index - 1] == byte
                if doubled { writer.write(jsonEscaped: UInt32(byte)) } else { writer.write(byte: byte) }
            default: writer.write(byte: byte)
            }
        }
        return writer.bytes
    }
}
