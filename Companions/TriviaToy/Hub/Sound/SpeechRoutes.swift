import GRDB
import HubKit
import Localization
import Storage

/// The routes to what virtual toys say, in words and in sound.
struct SpeechRoutes: Sendable {
    let toy: TriviaToy

    func add(to routes: Routes) {
        routes.get(
            "/api/toy/toys/{id}/speech", .member,
            "What a virtual toy said last: its words, and whether they can be heard, or what is missing for that: a voice of the hub’s, or the end of quiet hours."
        ) { request in
            let member = try request.member
            let household = member.household
            let (hub, id, now) = (request.hub, try request.path("id"), request.hub.clock.now())
            let localized = request.localized
            let (mayHear, silence) = try await hub.database.pool.read { db in
                _ = try DeviceRecord.toy(id, household: household, db)
                return (
                    try ToyRecord.mayHear(id, member, hub, now: now, db),
                    try HouseSilence.quietHours(ofToy: id, now: now, in: localized, db)
                )
            }
            guard mayHear, let spoken = toy.spoken.last(of: id), spoken.household == household else {
                return try .json(LastSpeechResponse())
            }
            return try .json(
                LastSpeechResponse(
                    speech: SpeechResponse(
                        spoken, isInstalled: toy.renderer.program.isInstalled, silence, in: localized)))
        }
        routes.get(
            "/api/toy/speech/{id}", .member, "The sound of what a virtual toy said, until it says something else."
        ) { request in
            let household = try request.member.household
            guard let spoken = toy.spoken.find(try request.path("id"), household: household) else {
                throw Problem.notFound("The toy has said something else meanwhile.")
            }
            if let message = spoken.message {
                let (member, hub, now) = (try request.member, request.hub, request.hub.clock.now())
                return .file(
                    try await hub.database.pool.read { db in
                        // A message is for one person, whoever stands beside the toy.
                        let record = try MessageRecord.find(message, household: household, db)
                        _ = try Subject.read(record.person, by: member, hub, now: now, db)
                        return try MessageRecord.sound(message, household: household, db)
                    }, WaveMedia.wave)
            }
            let (member, hub, now) = (try request.member, request.hub, request.hub.clock.now())
            let mayHear = try await hub.database.pool.read { db in
                try ToyRecord.mayHear(spoken.device, member, hub, now: now, db)
            }
            guard mayHear else { throw Problem.notFound("The toy has said something else meanwhile.") }
            do {
                return .file(try await toy.renderer.wave(spoken.utterance), WaveMedia.wave)
            } catch let failure as SystemProgram.Failure {
                throw Problem(
                    .serviceUnavailable, title: LocalizedText("No sound"), detail: SpeechText.failed(failure))
            }
        }
    }
}

/// The one type of sound that the hub gives.
enum WaveMedia: FileMedia {
    case wave
    var mediaType: String { "audio/wav" }
}

/// The words about why there is no sound, for whoever listens.
enum SpeechText {
    static func failed(_ failure: SystemProgram.Failure) -> LocalizedText {
        switch failure {
        case .missing:
            LocalizedText(
                "The hub has no voice: espeak-ng is not installed. On Debian: apt-get install espeak-ng. Until then you can read the words."
            )
        case .failed, .tooLarge: LocalizedText("espeak-ng could not say this. You can read the words.")
        case .tooSlow: LocalizedText("espeak-ng took too long to say this. You can read the words.")
        }
    }
}

private struct LastSpeechResponse: Codable {
    /// The last speech; nothing while the toy has said nothing since the hub was started.
    var speech: SpeechResponse?
}

/// A speech of a virtual toy.
private struct SpeechResponse: Codable {
    /// The id of the speech and of its sound, `/api/toy/speech/{id}`.
    var id: String
    var words: String
    /// UTC milliseconds.
    var at: Int64
    var hasSound: Bool
    /// The thing that is missing for it to be heard, in words.
    var missing: String?
    /// The recorded message that is heard in place of the words.
    var message: Int64?

    init(_ spoken: SpokenWords.Spoken, isInstalled: Bool, _ silence: HouseSilence?, in localizer: Localizer) {
        id = spoken.id
        words = spoken.utterance.words
        at = spoken.at
        message = spoken.message
        hasSound = silence == nil && (isInstalled || message != nil)
        missing = hasSound ? nil : silence?.headline ?? localizer.string(SpeechText.failed(.missing))
    }
}

extension DeviceRecord {
    /// A toy of the household.
    ///
    /// - Throws: a 404 problem for what is none.
    static func toy(_ id: String, household: String, _ db: Database) throws -> DeviceRecord {
        guard let device = try DeviceRecord.fetchOne(db, key: id), device.household == household,
            device.removedAt == nil, device.kind == TriviaToy.toyKind
        else { throw Problem.notFound("There is no toy here. It may have been removed.") }
        return device
    }
}
