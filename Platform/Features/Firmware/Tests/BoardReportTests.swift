import HubKit
import NIOCore
import Testing

@testable import Firmware

@Suite("What a board says of its firmware")
struct BoardReportTests {
    /// Whether a report is read.
    private func isRead(_ text: String) -> Bool {
        let payload = ByteBuffer(string: text)
        return (try? BoardReport(payload)) != nil
    }

    @Test("A report has board, image and version, and how the last update ended")
    func read() throws {
        let text =
            #"{"board":"mps2-an386","image":"plant-sensor","version":"1.1.0","hasKey":true,"offered":"1.2.0","offer":7,"start":1}"#
        let payload = ByteBuffer(string: text)
        let report = try BoardReport(payload)
        #expect(report.version == "1.1.0")
        #expect(report.hasKey)
        let expected = BoardReport.Outcome(version: "1.2.0", offer: 7, result: .wentBack, reason: 1)
        #expect(report.outcome == expected)
    }

    @Test(
        "A report that is no JSON, without a version, with a garbled one or name, or too long is put aside in words",
        arguments: [
            "1.2.0", "{}", #"{"board":"b","image":"i","version":"1.2","hasKey":true}"#,
            #"{"board":"B!","image":"i","version":"1.2.0","hasKey":true}"#,
            #"{"board":"b","image":"i","version":"1.2.0","hasKey":true,"offered":"x","offer":1}"#,
            #"{"board":"b","image":"i","version":"1.2.0","hasKey":true,"offered":"1.0.0"}"#,
            #"{"board":"b","image":"i","version":"1.2.0","hasKey":true,"offered":"1.0.0","offer":-1}"#,
            #"{"board":"b","image":"i","version":"1.2.0","hasKey":true,"start":300}"#,
            String(repeating: " ", count: 600),
        ])
    func refused(_ text: String) {
        let isRead = isRead(text)
        #expect(!isRead)
    }
}
