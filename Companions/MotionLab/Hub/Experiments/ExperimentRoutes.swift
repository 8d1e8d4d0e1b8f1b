import Foundation
import GRDB
import HubKit
import Localization
import MotionLabEngine
import NIOCore
import Storage
import Wire

/// The experiments that there are: five that are built in, and the household's own files.
struct ExperimentRoutes: Sendable {
    let hub: HubContext

    /// The most files of a household.
    private static let mostFiles = 100

    struct ExperimentResponse: Codable {
        struct Sensor: Codable {
            var sensor: String
            /// Samples a second; nothing for as many as there are.
            var hertz: Double?
        }

        var slug, title: String
        /// The seconds after which the recording ends by itself.
        var seconds: Double
        var sensors: [Sensor]
        /// The analysis of the whole recording at its end.
        var analysis: String
        var isBuiltIn: Bool
    }

    private struct ListResponse: Codable { var experiments: [ExperimentResponse] }

    private enum ExperimentMedia: FileMedia {
        case json
        var mediaType: String { "application/json" }
    }

    func add(to routes: Routes) {
        routes.get(
            "/api/lab/experiments", .member, "The experiments that there are: built in, and the household’s own."
        ) {
            request in
            let household = try request.member.household
            let language = request.language
            let own = try await hub.database.pool.read { db in
                try ExperimentRecord.fetchAll(
                    db, cached: "SELECT * FROM lab_experiment WHERE household = ? ORDER BY slug", arguments: [household]
                )
            }
            let built = Experiment.builtIn.map { ExperimentResponse($0, isBuiltIn: true, language) }
            let files = own.compactMap { try? Experiment(Array($0.file.utf8)) }
            return try .json(
                ListResponse(experiments: built + files.map { ExperimentResponse($0, isBuiltIn: false, language) }))
        }
        routes.get("/api/lab/experiments/{slug}", .member, "The file of an experiment.") { request in
            let slug = try request.path("slug")
            let household = try request.member.household
            if let file = Self.builtInFile(slug) {
                return APIResponse<File<ExperimentMedia>>.file(ByteBuffer(string: file), .json)
            }
            let record = try await hub.database.pool.read { db in
                try ExperimentRecord.fetchOne(db, key: ["household": household, "slug": slug])
            }
            guard let record else { throw Problem.notFound("There is no experiment here. It may have been removed.") }
            return .file(ByteBuffer(string: record.file), .json)
        }
        routes.put(
            "/api/lab/experiments/{slug}", .adult, "Stores an experiment file under the slug that is in it.",
            media: "application/json"
        ) { request in
            let language = request.language
            let household = try request.member.household
            let slug = try request.path("slug")
            let bytes = UnseenCharacters.removed(fromJSON: Array(buffer: try await request.bytes()))
            let experiment: Experiment
            do throws(ExperimentError) {
                experiment = try Experiment(bytes)
            } catch {
                throw Problem.field("file", detail: ExperimentText.refused(error))
            }
            guard String(decoding: experiment.slug, as: UTF8.self) == slug else {
                throw Problem.field("file", "The file has another slug than its address.")
            }
            guard Self.builtInFile(slug) == nil else {
                throw Problem.field("file", "An experiment of this slug is built in. Give yours another one.")
            }
            let now = hub.clock.now()
            try await hub.database.pool.write { db in
                let count =
                    try Int.fetchOne(
                        db, cached: "SELECT count(*) FROM lab_experiment WHERE household = ? AND slug <> ?",
                        arguments: [household, slug]) ?? 0
                guard count < Self.mostFiles else {
                    throw Problem.field("file", "A household has at most \(Self.mostFiles) experiments of its own.")
                }
                try ExperimentRecord(
                    household: household, slug: slug, file: String(decoding: bytes, as: UTF8.self), changedAt: now
                ).save(db)
                hub.live.publish(changed: "experiment", id: slug, of: MotionLab.self, household: household, after: db)
            }
            return try .json(ExperimentResponse(experiment, isBuiltIn: false, language))
        }
        routes.delete("/api/lab/experiments/{slug}", .adult, "Removes an experiment of the household’s own.") {
            request in
            let household = try request.member.household
            let slug = try request.path("slug")
            let isThere = try await hub.database.pool.write { db in
                hub.live.publish(changed: "experiment", id: slug, of: MotionLab.self, household: household, after: db)
                return try ExperimentRecord.deleteOne(db, key: ["household": household, "slug": slug])
            }
            guard isThere else { throw Problem.notFound("There is no experiment here. It may have been removed.") }
            return .nothing
        }
    }

    private static func builtInFile(_ slug: String) -> String? {
        zip(Experiment.builtIn, Experiment.builtInFiles).first {
            String(decoding: $0.0.slug, as: UTF8.self) == slug
        }.map { "\($0.1)" }
    }
}

extension ExperimentRoutes.ExperimentResponse {
    fileprivate init(_ experiment: Experiment, isBuiltIn: Bool, _ language: Language) {
        slug = String(decoding: experiment.slug, as: UTF8.self)
        let written = String(decoding: experiment.title, as: UTF8.self)
        title =
            isBuiltIn
            ? ExperimentText.title(ofBuiltIn: slug)?.string(in: language, from: .motionLab) ?? written : written
        seconds = experiment.seconds
        sensors = experiment.sensors.map { Sensor(sensor: "\($0.kind.name)", hertz: $0.hertz) }
        analysis = "\(experiment.analysis.name)"
        self.isBuiltIn = isBuiltIn
    }
}
