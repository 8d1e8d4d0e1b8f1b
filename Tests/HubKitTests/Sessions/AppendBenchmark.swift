import Foundation
import GRDB
import HubInstruments
import Storage
import Testing
import Wire

@testable import HubKit

/// What an append costs in a session that is long already. It measures and expects nothing: Benchmarks/session_append.py
/// runs it and shows what it prints.
@Suite("An append to a long session", .enabled(if: ProcessInfo.processInfo.environment["TANDEM_BENCHMARK"] != nil))
struct AppendBenchmark {
    /// One request of a device that streams: two seconds of nine axes at 200 Hz, two bytes each.
    private static let chunk = 7_200
    private static let count = 200

    @Test("Each length", arguments: [1_000, 1_000_000, 30_000_000])
    func append(length: Int) async throws {
        let app = try await CompanionTestApp<Raw>()
        let ines = try await app.person("ines")
        let member = Member(person: ines, profile: ines, signIn: "s")
        let sessions = app.companion.sessions
        var bytes = RawSession.header(id: 1, person: "mila", at: app.now - 60_000)
        let id = SessionOrigin.name(of: [UInt8](repeating: 1, count: 8))
        bytes += [UInt8](repeating: 7, count: length)
        var position = UploadPosition(offset: 0, checksum: 0)
        while position.offset < bytes.count {
            let end = min(position.offset + 262_144, bytes.count)
            position = try await sessions.append(
                .init(offset: position.offset, bytes: Array(bytes[position.offset..<end]), checksum: position.checksum),
                to: id, by: member
            ).position
        }
        let next = [UInt8](repeating: 9, count: Self.chunk)
        let before = Self.residentKilobytes()
        var milliseconds: [Double] = []
        for _ in 0..<Self.count {
            let start = ContinuousClock.now
            position = try await sessions.append(
                .init(offset: position.offset, bytes: next, checksum: position.checksum), to: id, by: member
            ).position
            milliseconds.append(Double((ContinuousClock.now - start) / .microseconds(1)) / 1_000)
        }
        milliseconds.sort()
        func quantile(_ part: Double) -> String {
            String(format: "%.2f", milliseconds[Int(part * Double(milliseconds.count - 1))])
        }
        print(
            "append of \(Self.chunk) bytes at \(length) bytes: n \(Self.count), median \(quantile(0.5)) ms, quartiles \(quantile(0.25)) to \(quantile(0.75)) ms; resident memory grew by \(Self.residentKilobytes() - before) kB"
        )
    }

    /// Of this process, as Linux has it.
    private static func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.split(whereSeparator: { !$0.isNumber }).first ?? "") } ?? 0
    }
}
