import Foundation
import GRDB
import HubKit
import MotionLabEngine
import Storage
import Wire

/// A recording with its samples, as far as they are read.
struct ExportedRecording: Sendable {
    /// One sensor's samples, in order of time.
    struct Series: Sendable {
        var kind: SensorKind
        /// UTC microseconds by the phone's clock.
        var times: [Int64] = []
        /// Of each axis, as whole multiples of what the kind distinguishes.
        var axes: [[Int64]]

        init(_ kind: SensorKind) {
            self.kind = kind
            axes = Array(repeating: [], count: kind.axisCount)
        }

        mutating func append(_ block: SampleBlock) {
            times += block.times
            for axis in axes.indices { axes[axis] += block.axes[axis] }
        }

        /// In order of time, and of the same time the first: pieces may have come in any order.
        mutating func sort() {
            var isSorted = true
            for place in times.indices.dropFirst() where times[place] <= times[place - 1] {
                isSorted = false
                break
            }
            guard !isSorted else { return }
            let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
            var chosen: [Int] = []
            for place in order where chosen.last.map({ times[$0] != times[place] }) ?? true { chosen.append(place) }
            let (oldTimes, oldAxes) = (times, axes)
            times = chosen.map { oldTimes[$0] }
            axes = oldAxes.map { axis in chosen.map { axis[$0] } }
        }
    }

    let response: RecordingResponse
    var series: [Series] = []

    /// Reads a recording: its samples too.
    ///
    /// - Throws: a 404 problem where its bytes are not there or this hub cannot read them.
    init(_ recording: StoredRecording, _ db: Database) throws {
        guard recording.origin == .push else {
            guard let session = try Sessions.find(recording.id, household: recording.household, db) else {
                throw Problem.notFound("recording")
            }
            let content = Array(session.content)
            response = try RecordingResponse(recording, db, own: Self.annotations(ofContent: content))
            series = try Self.series(ofContent: content)
            return
        }
        response = try RecordingResponse(recording, db)
        for stream in recording.streams {
            guard let kind = SensorKind.allCases.first(where: { "\($0.name)" == stream.sensor }),
                let device = recording.device, let stored = try db.stream(stream.sensor, device: device),
                let first = stream.firstMicroseconds, let last = stream.lastMicroseconds
            else { continue }
            var series = Series(kind)
            try db.forEachBlock(stream: stored, from: first, to: last + 1) { series.append($0) }
            self.series.append(series)
        }
    }

    private static func series(ofContent content: [UInt8]) throws -> [Series] {
        do throws(RecordingError) {
            let recording = try RecordingReader.recording(of: content)
            var reader = try RecordingReader(recording, isComplete: true)
            var series = reader.header.streams.map { Series($0.kind) }
            while let record = try reader.next() {
                if case .samples(let place, let block) = record { series[place].append(block) }
            }
            for place in series.indices { series[place].sort() }
            return series.filter { !$0.times.isEmpty }
        } catch {
            throw Problem(.conflict, "Cannot be read", RecordingText.refused(error))
        }
    }

    /// What was written down while it was recorded; none where this hub cannot read it.
    static func annotations(ofContent content: [UInt8]) -> [RecordingResponse.Annotation] {
        var found: [RecordingResponse.Annotation] = []
        guard let recording = try? RecordingReader.recording(of: content),
            var reader = try? RecordingReader(recording, isComplete: true)
        else { return [] }
        while let record = try? reader.next() {
            if case .annotation(let time, let text) = record {
                found.append(.init(atMicroseconds: time, text: String(decoding: text, as: UTF8.self)))
            }
        }
        return found
    }
}
