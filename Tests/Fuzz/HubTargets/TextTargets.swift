import Foundation
import FuzzTargets

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Reminders

extension FuzzTarget {
    static var texts: [FuzzTarget] {
        [
            FuzzTarget(
                "texts", longestInput: 512,
                dictionary: [
                    "7K4M-Q2XD-9HTF", "https://linden.local/#", "2026-12-02", "Europe/Vienna", "../", "\\x0d\\x0a",
                    "\\xe2\\x80\\xa8", "\\xef\\xbc\\x9d", "BEGIN:VEVENT", "\\\"", "\\x00",
                ],
                seeds: [
                    "07k4m q2xd-9htf", "0https://linden.local:8443/#7K4M-Q2XD-9HTF", "12024-02-29",
                    "2Europe/Vienna",
                    "3=1+2, \"two\"",
                    "4Dentist; Dr. Moser,\r\nroom 2\\3 and a line that is longer than any line of a calendar",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkText(bytes) }
        ]
    }

    private static func checkText(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let kind = bytes.first else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        switch kind % 8 {
        case 0:
            guard let code = AccessCode(text) else { return }
            try require(AccessCode("\(code)") == code, "a code is read as it was written: \(code)")
            try require("\(code)".utf8.count == 14, "a code has twelve symbols: \(code)")
        case 1:
            guard let date = CivilDate(text) else { return }
            try require("\(date)" == text, "a date is written as it was read: \(date)")
            try require(CivilDate(day: date.day) == date, "a date is its day: \(date)")
        case 2:
            guard let zone = try? Accounts.checked(timeZone: text) else { return }
            try require(zone == text && !zone.contains(".."), "a time zone is a name: \(zone)")
        case 3: try checkField(text)
        default: try checkLine(text)
        }
    }

    /// A field of a table is one field to whoever reads the table, and begins no formula.
    private static func checkField(_ text: String) throws(BrokenProperty) {
        let field = Array(CSV.field(text).unicodeScalars)
        var content = field
        if field.first == "\"" {
            try require(field.count >= 2 && field.last == "\"", "a quote is closed")
            content = []
            var inside = field.dropFirst().dropLast()
            while let scalar = inside.popFirst() {
                if scalar == "\"" {
                    try require(inside.popFirst() == "\"", "a quote inside is doubled")
                }
                content.append(scalar)
            }
        } else {
            try require(!field.contains { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }, "it is one field")
        }
        let read =
            content.first == "'" && content != Array(text.unicodeScalars) ? Array(content.dropFirst()) : content
        try require(read == Array(text.unicodeScalars), "a field is read as it was written")
        let first = content.first { !$0.properties.isWhitespace }
        try require(first.map { !"=+@\t\r".unicodeScalars.contains($0) } ?? true, "a field begins no formula")
    }

    /// A line of a calendar has at most 75 octets and is one line, whatever somebody calls an appointment.
    private static func checkLine(_ text: String) throws(BrokenProperty) {
        var calendar = CalendarText()
        calendar.add("SUMMARY", text: text)
        let written = String(decoding: calendar.bytes, as: UTF8.self)
        let lines = written.components(separatedBy: "\r\n")
        try require(lines.last == "", "it ends with its line")
        for (index, line) in lines.dropLast().enumerated() {
            try require(line.utf8.count <= 75, "a line has at most 75 octets: \(line.utf8.count)")
            // By its byte: a mark that is combined with the space makes another character of the two.
            try require(index == 0 || line.utf8.first == 0x20, "what follows is folded")
            let isBare = line.unicodeScalars.allSatisfy { $0 == "\t" || $0.properties.generalCategory != .control }
            try require(isBare, "no control character is in it")
        }
    }
}
