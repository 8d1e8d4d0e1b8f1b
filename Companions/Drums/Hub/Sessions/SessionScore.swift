import DrumsEngine
import Foundation
import HubKit
import Storage

/// A session with every beat, what it was set up with, and what happened: what its own page shows.
struct SessionScore: Codable, Sendable {
    struct ChartResponse: Codable, Sendable {
        struct Tempo: Codable, Sendable {
            var step: Int
            var beatsPerMinute: Double
        }

        var stepsPerBeat: Int
        var tempo: [Tempo]
        /// A character for each step: 1 is a beat, 0 a rest.
        var steps: String

        init(_ chart: Chart) {
            stepsPerBeat = Int(chart.stepsPerBeat)
            tempo = chart.tempo.map { change in
                let perMinute = 60_000_000 / Double(change.microsecondsPerBeat)
                return Tempo(step: Int(change.step), beatsPerMinute: (perMinute * 100).rounded() / 100)
            }
            steps = String(decoding: chart.steps.map { UInt8(ascii: $0 ? "1" : "0") }, as: UTF8.self)
        }
    }

    struct Window: Codable, Sendable {
        /// Milliseconds after the beat, and half of the width.
        var centre, half: Int
        /// Whether it was learnt from this player's own hits.
        var isLearnt: Bool

        init(_ window: TimingWindow) {
            centre = Int(window.centreMilliseconds)
            half = Int(window.halfMilliseconds)
            isLearnt = window.isLearnt
        }
    }

    struct Beat: Codable, Sendable {
        /// The step in the chart, from 0.
        var step: Int
        /// Milliseconds of the song's own time.
        var position: Double
        var drum: UInt8
        var side: SideName
        var verdict: Verdict.Name
        /// Milliseconds.
        var reaction, error: Int32?
        /// The force of the hit, without a unit.
        var force: Double?
        /// The drums that were hit first.
        var wrong: [UInt8]
        /// Milliseconds.
        var waited: Int32
        var link: LinkKind.Name
        var isPlausible: Bool

        init(_ beat: BeatResult, in chart: Chart) {
            step = beat.step
            position = Double(chart.positionMicroseconds(ofStep: beat.step)) / 1_000
            drum = beat.drum.rawValue
            side = beat.side == .left ? .left : .right
            verdict = beat.verdict.name
            reaction = beat.reactionMilliseconds
            error = beat.errorMilliseconds
            force = beat.forceHundredths.map { Double($0) / 100 }
            wrong = beat.wrong.map(\.rawValue)
            waited = beat.waitedMilliseconds
            link = beat.link.name
            isPlausible = beat.isPlausible
        }
    }

    var response: DrumSessionResponse
    var drums: [Bool]
    var countInBeats: Int
    var eventCount: Int
    /// The timing window; nil but in flow mode.
    var window: Window?
    var leadMilliseconds: Int?
    /// The latency that a link without a clock of its own was calibrated to, milliseconds.
    var latencySet: Double
    var chart: ChartResponse
    /// The links that it was played with, the first one first.
    var links: [LinkKind.Name]
    /// The drums that measured a force.
    var forceDrums: [UInt8]
    var beatList: [Beat]
    var happened: [SessionHappening]

    private enum CodingKeys: CodingKey {
        case drums, countInBeats, eventCount, window, leadMilliseconds, latencySet, chart, links, forceDrums, beatList
        case happened
    }

    init(_ response: DrumSessionResponse, _ session: DrumSession) {
        let result = session.result
        self.response = response.telling(means: response.fork.map { session.result(after: $0.events) } ?? result)
        let setup = session.setup
        let beats = result.beats
        drums = Drum.allCases.map { setup.drums.contains($0) }
        countInBeats = Int(setup.countInBeats)
        eventCount = session.events.count
        if setup.mode == .flow {
            window = Window(setup.window)
            leadMilliseconds = Int(setup.leadMilliseconds)
        }
        latencySet = Double(setup.latencyTenths) / 10
        chart = ChartResponse(setup.chart)
        var links = [setup.link]
        for event in session.events {
            if case .linkBack(let link, _) = event.input, !links.contains(link) { links.append(link) }
        }
        for beat in beats where !links.contains(beat.link) { links.append(beat.link) }
        self.links = links.map(\.name)
        forceDrums = Drum.allCases.filter { drum in
            beats.contains { $0.drum == drum && $0.forceHundredths != nil }
        }.map(\.rawValue)
        beatList = beats.map { Beat($0, in: setup.chart) }
        happened = SessionHappening.all(of: session, receivedAt: response.receivedAt)
    }

    init(from decoder: any Decoder) throws {
        response = try DrumSessionResponse(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        drums = try container.decode([Bool].self, forKey: .drums)
        countInBeats = try container.decode(Int.self, forKey: .countInBeats)
        eventCount = try container.decode(Int.self, forKey: .eventCount)
        window = try container.decodeIfPresent(Window.self, forKey: .window)
        leadMilliseconds = try container.decodeIfPresent(Int.self, forKey: .leadMilliseconds)
        latencySet = try container.decode(Double.self, forKey: .latencySet)
        chart = try container.decode(ChartResponse.self, forKey: .chart)
        links = try container.decode([LinkKind.Name].self, forKey: .links)
        forceDrums = try container.decode([UInt8].self, forKey: .forceDrums)
        beatList = try container.decode([Beat].self, forKey: .beatList)
        happened = try container.decode([SessionHappening].self, forKey: .happened)
    }

    func encode(to encoder: any Encoder) throws {
        try response.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(drums, forKey: .drums)
        try container.encode(countInBeats, forKey: .countInBeats)
        try container.encode(eventCount, forKey: .eventCount)
        try container.encodeIfPresent(window, forKey: .window)
        try container.encodeIfPresent(leadMilliseconds, forKey: .leadMilliseconds)
        try container.encode(latencySet, forKey: .latencySet)
        try container.encode(chart, forKey: .chart)
        try container.encode(links, forKey: .links)
        try container.encode(forceDrums, forKey: .forceDrums)
        try container.encode(beatList, forKey: .beatList)
        try container.encode(happened, forKey: .happened)
    }
}

extension DrumSessionResponse {
    /// The response with the means of its replayed events.
    fileprivate func telling(means result: SessionResult) -> DrumSessionResponse {
        var response = self
        response.reaction?.mean = Quartiles(ReactionClock.most(of: result.beats)?.reactions)?.mean
        response.force?.mean = Quartiles(result.force)?.mean
        response.latency?.mean = Quartiles(result.latency)?.mean
        return response
    }
}
