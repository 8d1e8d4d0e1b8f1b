import Foundation
import HubInstruments
import HubKit
import MotionLabEngine
import Testing

@testable import MotionLabHub

@Suite("Charts of recordings")
struct ChartTests {
    /// 200 seconds at 10 Hz with a pause of a minute in them, as an app sends them.
    private func pushed(_ app: LabTestApp) async throws -> String {
        let phone = try await LabTestPhone(app)
        for message in 0..<10 {
            let payload = (message * 200..<message * 200 + 200).filter { !(600..<1_200).contains($0) }.map {
                LoggerMessages.reading("gyroscope", Int64($0) * 100_000_000, "\"x\":\($0 % 2),\"y\":-1,\"z\":\($0)")
            }
            #expect(try await phone.push(LoggerMessages.message(message, payload)).status == 200)
        }
        return try #require(try await phone.recording()["id"] as? String)
    }

    @Test(
        "Each point has the lowest, the mean and the highest value of its stretch, and a pause is a gap",
        arguments: [20, 600])
    func points(most: Int) async throws {
        let app = try await LabTestApp()
        let id = try await pushed(app)
        let chart = try await app.send(.get, "/api/lab/recordings/\(id)/chart?sensor=gyroscope&points=\(most)")
        #expect(chart.status == 200, "\(chart.text)")
        let points = try #require(chart["points"] as? [[String: Any]])
        #expect(points.count <= most + 1)
        #expect(points.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } == 1_400)
        // 20 points of ten seconds, read from what is stored of each second; 600 of half a second, from the samples.
        let count = most == 20 ? 100 : 5
        #expect(points[0]["count"] as? Int == count && points[0]["seconds"] as? Double == 0)
        #expect(points[0]["low"] as? [Double] == [0, -1, 0])
        #expect(points[0]["high"] as? [Double] == [1, -1, Double(count - 1)])
        #expect((points[0]["mean"] as? [Double])?[2] == Double(count - 1) / 2)
        #expect(
            chart["gaps", "0", "fromSeconds"] as? Double == 59.9 && chart["gaps", "0", "toSeconds"] as? Double == 120)
        #expect(chart["gaps", "1"] == nil && chart["unit"] as? String == "rad/s")
    }

    @Test("A page's recording is drawn as an app's is")
    func page() async throws {
        let app = try await LabTestApp()
        var recorder = try StoredRecordingTests.Recorder(person: "mila", start: app.now * 1_000)
        for second in [0, 1, 9] as [Int64] { _ = recorder.second(second) }
        let content = recorder.bytes
        #expect(try await app.deliver(content).status == 201)
        let path = "/api/lab/recordings/\(recorder.id)/chart"
        let chart = try await app.send(.get, path + "?sensor=accelerometer&points=5")
        #expect(chart["widthMicroseconds"] as? Int == 2_000_000)
        #expect((chart["points"] as? [[String: Any]])?.map { $0["count"] as? Int } == [200, 100])
        #expect(chart["points", "1", "high"] as? [Double] == [0, 0.5, 1])
        #expect(chart["gaps", "0", "fromSeconds"] as? Double == 1.99 && chart["gaps", "0", "toSeconds"] as? Double == 9)
        // A second of it, closer: a hundred samples, and two on either side, for a line that goes on to the edge.
        let closer = try await app.send(.get, path + "?sensor=accelerometer&points=100&from=0.5&to=1.5")
        #expect(closer["widthMicroseconds"] as? Int == 20_000)
        let points = try #require(closer["points"] as? [[String: Any]])
        #expect(points.allSatisfy { (0.46...1.54).contains($0["seconds"] as? Double ?? -1) })
        #expect((101...105).contains(points.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }))
        #expect((closer["gaps"] as? [Any])?.isEmpty == true, "the gap lies after it")
        for query in [
            "", "?sensor=kettle", "?sensor=accelerometer&points=0", "?sensor=accelerometer&points=x",
            "?sensor=accelerometer&from=2&to=1", "?sensor=accelerometer&from=x", "?sensor=accelerometer&to=nan",
        ] {
            #expect(try await app.send(.get, path + query).status == 422)
        }
        #expect(try await app.send(.get, path + "?sensor=light").status == 404)
    }

    /// Thirteen seconds at 100 Hz of a phone that lies tilted, and is moved and turned by formulas.
    private func delivered(
        _ app: LabTestApp, _ moved: (_ seconds: Double) -> (felt: [Double], rate: [Double])
    ) async throws -> String {
        let id = [UInt8](repeating: 9, count: 16)
        let start = app.now * 1_000
        var writer = try RecordingWriter(
            header: RecordingHeader(
                id: id, person: Array("mila".utf8), experiment: [], utcOffsetMinutes: 60, startedAt: start,
                streams: [
                    RecordedStream(kind: .accelerometer, source: .lab), RecordedStream(kind: .gyroscope, source: .lab),
                ]))
        for place in 0..<1_300 as Range<Int64> {
            let (felt, rate) = moved(Double(place) / 100)
            writer.add(felt, to: 0, at: start + place * 10_000)
            writer.add(rate, to: 1, at: start + place * 10_000)
        }
        writer.add(.end(at: start + 13_000_000))
        let content = writer.takeBytes()
        #expect(try await app.deliver(content).status == 201)
        return "/api/lab/recordings/\(SessionOrigin.name(of: id))/chart"
    }

    /// How often a line goes up through the middle of where it goes.
    private func swings(_ values: [Double]) -> Int {
        let middle = ((values.min() ?? 0) + (values.max() ?? 0)) / 2
        return zip(values, values.dropFirst()).count { $0 < middle && $1 >= middle }
    }

    @Test(
        "A phone that is shaken 0.7 times a second swings nine times in thirteen seconds, along the axis that is named")
    func shaken() async throws {
        let app = try await LabTestApp()
        // 0.31 g along y, held at 30 degrees: sin 30° of gravity on y, cos 30° on z.
        let path = try await delivered(app) {
            ([0, 0.5 + 0.31 * -cos(2 * .pi * 0.7 * $0), 0.75.squareRoot()], [0, 0, 0])
        }
        let felt = try await app.send(.get, path + "?sensor=accelerometer&points=400")
        #expect(felt["isWithoutGravity"] as? Bool == false && felt["hasLength"] as? Bool == true)
        let chart = try await app.send(.get, path + "?sensor=accelerometer&points=400&gravity=without")
        #expect(chart["isWithoutGravity"] as? Bool == true, "\(chart.text)")
        #expect(chart["strongest"] as? Int == 1)
        let points = try #require(chart["points"] as? [[String: Any]])
        let along = points.compactMap { ($0["mean"] as? [Double])?[1] }
        // From the lowest on it goes up through the middle 0.7 × 13 = 9.1 times, and its length twice as often.
        #expect(swings(along) == 9)
        #expect(swings(points.compactMap { $0["magnitude"] as? Double }) == 18)
        let high = points.compactMap { ($0["high"] as? [Double])?[1] }
        let low = points.compactMap { ($0["low"] as? [Double])?[1] }
        let lengths = points.compactMap { $0["magnitudeHigh"] as? Double }
        #expect(abs((high.max() ?? 0) - 0.31) < 0.002)
        #expect(abs((low.min() ?? 0) + 0.31) < 0.002)
        #expect(points.allSatisfy { abs(($0["mean"] as? [Double])?[2] ?? 1) < 0.001 })
        #expect(abs((lengths.max() ?? 0) - 0.31) < 0.002)
        #expect(try await app.send(.get, path + "?sensor=accelerometer&gravity=some").status == 422)
    }

    @Test(
        "A phone that is rocked feels gravity wander, which the gyroscope beside it takes out; its turning swings nine times"
    )
    func rocked() async throws {
        let app = try await LabTestApp()
        let path = try await delivered(app) {
            let (pace, reach) = (2 * Double.pi * 0.7, Double.pi / 9)
            let angle = reach * -cos(pace * $0)
            return ([-sin(angle), 0, cos(angle)], [0, reach * pace * sin(pace * $0), 0])
        }
        let chart = try await app.send(.get, path + "?sensor=accelerometer&points=400&gravity=without")
        let points = try #require(chart["points"] as? [[String: Any]])
        // Of 0.342 g that gravity goes along x, what the times between two rates leave.
        let lengths = points.compactMap { $0["magnitudeHigh"] as? Double }
        #expect(!lengths.isEmpty && lengths.allSatisfy { $0 < 0.005 })
        let turning = try await app.send(.get, path + "?sensor=gyroscope&points=400")
        #expect(turning["strongest"] as? Int == 1)
        let rates = try #require(turning["points"] as? [[String: Any]])
        #expect(swings(rates.compactMap { ($0["mean"] as? [Double])?[1] }) == 9)
    }

    @Test(
        "The widths of stretches are round, and no chart has more points than were asked for",
        arguments: [1, 7, 600, 4_000])
    func widths(points: Int) {
        for length: Int64 in [0, 1, 999, 12_345_678, 7_200_000_000, .max / 2] {
            let width = ChartResponse.width(of: length, points: points)
            #expect(length / width < Int64(points))
            let digits = "\(width)"
            #expect("125".contains(digits.prefix(1)) && digits.dropFirst().allSatisfy { $0 == "0" })
        }
    }

    @Test("A phone's clock is compared with the hub's by the engine")
    func clock() async throws {
        let app = try await LabTestApp()
        let answer = try await app.send(.get, "/api/lab/clock")
        let received = try #require(answer["receivedMicroseconds"] as? Int64)
        let answered = try #require(answer["answeredMicroseconds"] as? Int64)
        var alignment = ClockAlignment()
        // The phone is a minute behind, and each way takes 10 ms.
        alignment.add(
            .init(
                asked: received - 60_010_000, received: received, answered: answered,
                returned: answered - 59_990_000))
        let offset = try #require(alignment.offset)
        #expect(offset.microseconds == 60_000_000 && offset.uncertainty <= 10_002)
    }
}
