import GRDB
import HubKit
import Localization

extension Brushing {
    /// Adds each brushing with its times.
    public static func addHealthRecord(to record: HealthRecord) throws {
        let results = try ResultRecord.fetchCursor(
            record.db, sql: "SELECT * FROM brushing_session WHERE person = ? ORDER BY started_at, id",
            arguments: [record.person.id])
        while let result = try results.next() {
            try record.add(
                HealthRecord.Observation(
                    id: result.id, title: LocalizedText("Tooth brushing"), startedAt: result.startedAt,
                    endedAt: result.startedAt + result.milliseconds + result.pausedMilliseconds,
                    components: [
                        .init(LocalizedText("Brushed"), .duration(milliseconds: result.brushMilliseconds)),
                        .init(LocalizedText("Flossed"), .duration(milliseconds: result.flossMilliseconds)),
                        .init(LocalizedText("Rinsed"), .duration(milliseconds: result.rinseMilliseconds)),
                        .init(LocalizedText("Paused"), .duration(milliseconds: result.pausedMilliseconds)),
                        .init(LocalizedText("Steps left out"), .count(result.skipped)),
                        .init(LocalizedText("All steps done"), .flag(result.isComplete)),
                    ]))
        }
    }
}
