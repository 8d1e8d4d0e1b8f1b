import MotionLabEngine
import Testing

@Suite("The times of Sensor Logger's tables, after a spreadsheet had them")
struct TimeColumnTests {
    private func recording(_ file: [UInt8], _ name: String = "Gyroscope.csv") throws -> ImportedRecording {
        try ImportedRecording(file, fileName: Array(name.utf8), app: .sensorLogger(.sensorLoggerAndroid))
    }

    private func samples(_ file: String) throws -> ImportedSamples {
        try #require(try recording(Array(file.utf8)).samples.first)
    }

    private static let rows =
        "seconds_elapsed,z,y,x\n1795266000000000000,0,3,2,1\n1795266000010000000,0.01,3,2,1\n"

    // U+FEFF is EF BB BF in UTF-8 (RFC 3629, 6); Python: b"\xef\xbb\xbf".decode("cp1252") is "ï»¿".
    @Test(
        "The time is found whatever stands unseen at its name, and by what other programs and languages call it",
        arguments: [
            "\u{FEFF}\u{FEFF}time", "ï»¿time", "ï»¿ï»¿\"time\"", "\"\u{FEFF}time\"", "\u{FEFF}\"\u{FEFF}time\"",
            "\u{200B}time", "time\u{200B}", "\u{2060}\u{FEFF} time ", "\u{A0}time\u{A0}", "\u{200E}time", "´╗┐time",
            "Ôªøtime",
            "time (ns)", "Time [ns]", "time (UTC)", "timestamp", "Timestamp (ns)", "Zeit", "\u{FEFF}Zeit", "ZEIT (ns)",
            "Zeitstempel", "time_ns", "temps", "время",
        ])
    func names(name: String) throws {
        let samples = try samples("\(name),\(Self.rows)")
        #expect(samples.isAbsolute && samples.skipped == 0)
        #expect(
            samples.times == [1_795_266_000_000_000, 1_795_266_000_010_000]
                && samples.values == [[1, 2, 3], [1, 2, 3]])
    }

    @Test("A column that is the time by its own name goes before one by another's")
    func own() throws {
        let samples = try samples(
            "timestamp,time,z,y,x\n1111111111000000000,1795266000000000000,3,2,1\n1111111111010000000,1795266000010000000,3,2,1\n"
        )
        #expect(samples.times == [1_795_266_000_000_000, 1_795_266_000_010_000])
    }

    // The seconds since say it: 10 ms from one row to the next.
    @Test(
        "A row without a time has that of another and the seconds between them",
        arguments: [
            ["", "1795266000010000000", "", "1795266000030000000"], ["1795266000000000000", "", "", ""],
            ["", "", "", "1795266000030000000"], ["########", "1795266000010000000", "#N/A", "1795266000030000000"],
            ["1795266000000.0", "", "########", "2026-11-21T13:00:00.030Z"],
        ])
    func blank(times: [String]) throws {
        let rows = zip(times, ["0", "0.01", "0.02", "0.03"]).map { "\($0),\($1),3,2,1\n" }
        let samples = try samples("time,seconds_elapsed,z,y,x\n" + rows.joined())
        #expect(samples.times == [0, 10_000, 20_000, 30_000].map { 1_795_266_000_000_000 + $0 })
        #expect(samples.isAbsolute && samples.skipped == 0)
    }

    @Test(
        "Where no cell of the time is one the seconds count, and the recording says that it does not know when it was",
        arguments: [
            ("time", "########"), ("time", ""), ("timestamp", "18.11.2026 11:06"), ("Zeit", "13:00:05"),
            ("time", "12345"),
        ])
    func none(name: String, cell: String) throws {
        let table = "\(name),seconds_elapsed,z,y,x\n\(cell),0,3,2,1\n\(cell),0.01,3,2,1\n"
        let recording = try recording(Array(table.utf8))
        #expect(recording.lacksTime && recording.samples[0].times == [0, 10_000])
        #expect(recording.samples[0].unknownTime?.name == Array(name.utf8))
        #expect(recording.samples[0].unknownTime?.example == Array(cell.utf8))
        #expect(throws: TableError.noTime) { try self.recording(Array("\(name),z,y,x\n\(cell),3,2,1\n".utf8)) }
        let whole = try self.recording(Array("time,\(Self.rows)".utf8))
        #expect(!whole.lacksTime && whole.samples[0].unknownTime == nil)
    }

    @Test("Rows that are left out are counted by what is missing, with what stands there instead")
    func left() throws {
        let samples = try samples(
            "time,seconds_elapsed,z,y,x\n1795266000000000000,0,3,2,1\n1795266000010000000,0.01,#N/A,2,1\n,,3,2,1\n1795266000030000000,0.03,#DIV/0!,2,1\n"
        )
        #expect(samples.times == [1_795_266_000_000_000] && samples.skipped == 3)
        #expect(samples.left.withoutTime == 1 && samples.left.withoutValue == 2)
        #expect(samples.left.example == Array("#N/A".utf8))
    }

    @Test(
        "A title may stand above the names, with separators or without",
        arguments: [
            "Gyroscope of the phone\n\n", "Gyroscope, of the phone\n", "Export;;;;\n",
            "Gyroscope\nof the phone\nin 2026\n",
            "\"Gyroscope;\nof the phone\"\n",
        ], [",", ";", "\t"])
    func title(title: String, separator: String) throws {
        let rows = "time,seconds_elapsed,z,y,x\n1795266000000000000,0,3,2,1\n1795266000010000000,1,3,2,1\n"
        let samples = try samples(
            title + rows.split(separator: ",", omittingEmptySubsequences: false).joined(separator: separator))
        #expect(
            samples.times == [1_795_266_000_000_000, 1_795_266_000_010_000]
                && samples.values == [[1, 2, 3], [1, 2, 3]])
    }
}
