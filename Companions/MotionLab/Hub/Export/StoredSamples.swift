import Foundation
import GRDB
import HubKit
import Localization
import MotionLabEngine
import Storage
import Wire

/// The stored samples of a recording: read from the database, and not yet taken apart.
struct StoredSamples: Sendable {
    private enum Source: Sendable {
        /// The bytes of a page's recording or a file's.
        case content([UInt8])
        /// The blocks of a phone's streams.
        case blocks([(kind: SensorKind, blocks: [SampleBlock])])
    }

    /// The kinds of sensors that it has samples of.
    let kinds: [SensorKind]
    private let response: RecordingResponse
    private let source: Source
    /// The names of the person and the phone that it is of.
    private let person, phone: String

    /// Reads the samples of a recording.
    ///
    /// - Throws: a 404 problem where its bytes are not there.
    init(_ recording: StoredRecording, _ db: Database) throws {
        response = try RecordingResponse(recording, db)
        kinds = recording.kinds
        // A guest of a class is nobody of the household.
        let guest = response.guest.map { $0.name ?? "Number \($0.number)" }
        person = try recording.person.flatMap { try PersonRecord.fetchOne(db, key: $0)?.name } ?? guest ?? ""
        phone = try recording.device.flatMap { try DeviceRecord.fetchOne(db, key: $0)?.name } ?? ""
        guard recording.origin == .push else {
            guard let content = try recording.content(db) else {
                throw Problem.notFound("There is no recording here. It may have been removed.")
            }
            source = .content(content)
            return
        }
        var found: [(kind: SensorKind, blocks: [SampleBlock])] = []
        for stream in recording.streams {
            guard let kind = SensorKind(sensor: stream.sensor), let device = recording.device,
                let stored = try db.stream(stream.sensor, device: device), let first = stream.firstMicroseconds,
                let last = stream.lastMicroseconds
            else { continue }
            var blocks: [SampleBlock] = []
            try db.forEachBlock(stream: stored, from: first, to: last + 1) { blocks.append($0) }
            found.append((kind, blocks))
        }
        source = .blocks(found)
    }

    /// Reads all samples, in order of time. It may take its time, and wants no database.
    ///
    /// - Throws: a 409 problem where this hub cannot read its bytes.
    func read() throws -> ExportedRecording {
        switch source {
        case .content(let content):
            var response = response
            response.add(Self.annotations(ofContent: content))
            return ExportedRecording(
                response: response, series: try Self.series(ofContent: content), person: person, phone: phone)
        case .blocks(let all):
            let series = all.map { kind, blocks in
                var series = ExportedRecording.Series(kind)
                for block in blocks { series.append(block) }
                return series
            }
            return ExportedRecording(response: response, series: series, person: person, phone: phone)
        }
    }

    private static func series(ofContent content: [UInt8]) throws -> [ExportedRecording.Series] {
        do {
            var reader = try RecordingReader(content, isComplete: true)
            var series = reader.header.streams.map { ExportedRecording.Series($0.kind) }
            while let record = try reader.next() {
                try Calculations.checkIsWanted()
                if case .samples(let place, let block) = record { series[place].append(block) }
            }
            for place in series.indices { series[place].sort() }
            return series.filter { !$0.times.isEmpty }
        } catch let error as RecordingError {
            throw Problem(
                .conflict, title: LocalizedText("Cannot be read"), detail: RecordingText.refused(error))
        }
    }

    /// The annotations that were made while it was recorded; none where this hub cannot read it.
    static func annotations(ofContent content: [UInt8]) -> [RecordingResponse.Annotation] {
        var found: [RecordingResponse.Annotation] = []
        guard var reader = try? RecordingReader(content, isComplete: true) else { return [] }
        while let record = try? reader.next() {
            if case .annotation(let time, let text) = record {
                found.append(
                    .init(atMicroseconds: time, text: String(decoding: text, as: UTF8.self).withoutUnseenCharacters))
            }
        }
        return found
    }
}

extension SensorKind {
    /// Finds the kind by its name.
    ///
    /// - Parameter sensor: as ``name`` has it.
    init?(sensor: String) {
        guard let kind = Self.allCases.first(where: { "\($0.name)" == sensor }) else { return nil }
        self = kind
    }
}

extension StoredRecording {
    /// The kinds of sensors that it has samples of, in the engine's order.
    var kinds: [SensorKind] {
        let present = Set(streams.filter { $0.samples > 0 }.compactMap { SensorKind(sensor: $0.sensor) })
        return SensorKind.allCases.filter { present.contains($0) }
    }
}
