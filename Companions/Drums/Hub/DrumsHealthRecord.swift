import GRDB
import HubKit
import Localization

extension Drums {
    /// Adds each practice with what was counted of it, the scores that a clinic has measured, and the plans.
    public static func addHealthRecord(to record: HealthRecord) throws {
        let results = try ResultRecord.fetchCursor(
            record.db, sql: "SELECT * FROM drums_session WHERE person = ? ORDER BY started_at, id",
            arguments: [record.person.id])
        while let result = try results.next() { try record.add(observation(of: result)) }
        for score in try ClinicScore.all(of: record.person.id, record.db) {
            let noon = Subject(record.person, of: record.household, now: score.createdAt).calendar
                .instant(day: score.day, minute: 720)
            try record.add(observation(of: score, at: noon))
        }
        let plans = try PracticePlans(of: record.person.id, record.db).all
        for (place, plan) in plans.enumerated() where plan.isPlan {
            try record.add(
                HealthRecord.Plan(
                    id: "\(plan.fromDay)", title: LocalizedText("Practice with the drums"),
                    description: LocalizedText(verbatim: plan.words(today: record.today, in: record.localized)),
                    author: plan.setBy, firstDay: plan.fromDay,
                    lastDay: place + 1 < plans.count ? plans[place + 1].fromDay - 1 : nil))
        }
    }

    private static func observation(of result: ResultRecord) -> HealthRecord.Observation {
        var components: [HealthRecord.Component] = [
            .init(LocalizedText("Song"), .text(result.songTitle)),
            .init(LocalizedText("Level"), .count(result.level)),
            .init(LocalizedText("Tempo, of the song’s own"), .percent(result.tempoPercent)),
            .init(LocalizedText("Practised"), .duration(milliseconds: result.milliseconds)),
            .init(LocalizedText("Beats asked for"), .count(result.beats)),
            .init(LocalizedText("Beats answered"), .count(result.answered)),
            .init(LocalizedText("Beats counted as right or wrong"), .count(result.judged)),
            .init(LocalizedText("Beats right"), .count(result.right)),
        ]
        if let clock = result.reactionClock, let median = result.reactionMedianTenths {
            components += [
                .init(LocalizedText("Reaction, median"), milliseconds(median)),
                .init(LocalizedText("Reactions that this is of"), .count(result.reactionCount)),
                .init(LocalizedText("Reactions are measured"), .text(clock.rawValue)),
            ]
            if let lower = result.reactionLowerTenths, let upper = result.reactionUpperTenths {
                components += [
                    .init(LocalizedText("Reaction, lower quartile"), milliseconds(lower)),
                    .init(LocalizedText("Reaction, upper quartile"), milliseconds(upper)),
                ]
            }
        }
        return HealthRecord.Observation(
            id: result.id, title: LocalizedText("Practice with the drums"), startedAt: result.startedAt,
            endedAt: result.endedAt, components: components)
    }

    private static func observation(of score: ClinicScore, at time: Int64) -> HealthRecord.Observation {
        var components = [
            HealthRecord.Component(score.measure.unit, .count(score.value))
        ]
        if let side = score.side { components.append(.init(LocalizedText("Hand"), .text(side.rawValue))) }
        if let satisfaction = score.satisfaction {
            components.append(.init(LocalizedText("Satisfaction"), .count(satisfaction)))
        }
        return HealthRecord.Observation(
            id: score.id, title: score.measure.title, startedAt: time, endedAt: time, components: components)
    }

    private static func milliseconds(_ tenths: Int32) -> HealthRecord.Value {
        .quantity(Double(tenths) / 10, unit: "ms", code: "ms")
    }
}
