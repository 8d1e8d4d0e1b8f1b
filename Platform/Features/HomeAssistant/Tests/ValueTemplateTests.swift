import Testing

@testable import HomeAssistant

/// Expected values are those that Jinja gives with Home Assistant's filters (its documents, "Templating"; Jinja's, "Builtin
/// filters").
@Suite("Templates by which messages say a value")
struct ValueTemplateTests {
    private func value(_ template: String, _ payload: String) throws -> Double? {
        let bytes = Array(payload.utf8)
        return try ValueTemplate(template).value(of: bytes.span)
    }

    @Test(
        "The plain kind is understood",
        arguments: [
            ("{{ value }}", "21.5", 21.5),
            ("{{value}}", " 21.5\n", 21.5),
            ("{{ value_json.moisture }}", #"{"moisture": 41.5}"#, 41.5),
            ("{{ value_json['soil_moisture'] }}", #"{"soil_moisture": "41"}"#, 41),
            (#"{{ value_json["AM2301"].Temperature }}"#, #"{"AM2301":{"Temperature":21.3}}"#, 21.3),
            ("{{ value_json['AM2301']['Humidity'] }}", #"{"AM2301":{"Humidity":40}}"#, 40),
            ("{{ value_json.list[1] }}", #"{"list":[1,2,3]}"#, 2),
            ("{{ value_json.tempc | is_defined }}", #"{"tempc":-3}"#, -3),
            ("{{ value_json.x | float }}", #"{"x":"7.25"}"#, 7.25),
            ("{{ value_json.x | float(0) }}", #"{"x":"none"}"#, 0),
            ("{{ value_json.x | float / 10 }}", #"{"x":215}"#, 21.5),
            ("{{ (value_json.x | float / 10) | round(1) }}", #"{"x":214.9}"#, 21.5),
            // A filter binds closer than an operator.
            ("{{ value_json.x / 10 | round(0) }}", #"{"x":25}"#, 2.5),
            ("{{ value | float * 9 / 5 + 32 }}", "100", 212),
            ("{{ value | int }}", "21.9", 21),
            ("{{ -value_json.x | abs }}", #"{"x":4}"#, 4),
            ("{{ 100 - value_json.x }}", #"{"x":30}"#, 70),
            ("{{ value_json.x // 2 }}", #"{"x":-3}"#, -2),
            ("{{ value_json.x % 5 }}", #"{"x":-3}"#, 2),
            ("{{ value_json.x | default(3) }}", "{}", 3),
            ("{{ 2.5 | round }}", "", 2),
            ("{{- value -}}", "1", 1),
        ])
    func understood(template: String, payload: String, expected: Double) throws {
        #expect(try value(template, payload) == expected)
    }

    @Test(
        "What says nothing gives no value and no error",
        arguments: ["unavailable", "unknown", "None", "nan", "", "{}", #"{"x":null}"#, "{", "[[[[", #"{"x":{"y":1}}"#])
    func nothing(payload: String) throws {
        #expect(try value("{{ value_json.x }}", payload) == nil)
        #expect(try value("{{ value }}", payload) == nil)
    }

    @Test(
        "Others are refused with the word that is not understood",
        arguments: [
            ("{{ states('sensor.x') }}", "states"), ("{% if value %}1{% endif %}", "{%"),
            ("{{ value_json.x if value_json.x else 0 }}", "if"),
            ("{{ value | regex_replace('a','b') }}", "regex_replace"),
            ("{{ value_json.x | from_json }}", "from_json"), ("{{ value ", ""), ("value", "value"),
            ("{{ value_json.x + }}", "}}"), ("{{ value_json. }}", "}}"), ("{{ value }} °C", "\u{C2}\u{B0}"),
        ])
    func refused(template: String, word: String) {
        #expect {
            try ValueTemplate(template)
        } throws: { error in
            guard case .notUnderstood(let found) = error as? ValueTemplate.Fault else { return false }
            return word.unicodeScalars.contains { !$0.isASCII } || found == word
        }
    }

    @Test(
        "Hostile ones are refused",
        arguments: [
            "{{ " + String(repeating: "(", count: 500) + "1", "{{ " + String(repeating: "-", count: 500) + "1 }}",
            "{{ value_json" + String(repeating: ".a", count: 400) + " }}", String(repeating: "{", count: 5_000),
        ])
    func hostile(template: String) {
        #expect(throws: ValueTemplate.Fault.self) { try ValueTemplate(template) }
    }

    @Test("A chain of operators as long as fits is worked out")
    func long() throws {
        let text = "{{ 1" + String(repeating: "+1", count: 500) + " }}"
        #expect(try value(text, "") == 501)
    }
}
