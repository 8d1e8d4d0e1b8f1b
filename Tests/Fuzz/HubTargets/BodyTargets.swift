import Foundation
import FuzzTargets
import Storage

@testable import BrushingHub
@testable import Devices
@testable import DrumsHub
@testable import HubKit
@testable import HubServer
@testable import PlantsHub

extension FuzzTarget {
    static var bodies: [FuzzTarget] {
        [
            FuzzTarget(
                "request-bodies", longestInput: 4_096,
                dictionary: [
                    "[[[[[[[[", "]]]]]]]]", "{\\\"a\\\":", "null", "1e400", "9223372036854775808", "\\\\ud800",
                    "\\\"name\\\":", "\\\"limits\\\":{\\\"low\\\":1,\\\"high\\\":2}", "\\\"steps\\\":[",
                    "\\\"drums\\\":[true]", "\\\"setBy\\\":\\\"x\\\"", "\\\"minutesPerWeek\\\":60", "\\\"day\\\":",
                ],
                seeds: [
                    #"{"name":"Basil","place":"Sill","art":"basil","limits":{"low":20,"high":60.5},"sensors":["a"]}"#,
                    #"{"routine":{"steps":[{"kind":"teeth","repetitions":1,"seconds":120}]},"isChildMode":null}"#,
                    #"{"title":"Dentist","day":"2026-12-02","minute":900,"note":"x\ny"}"#,
                    #"{"setBy":"Ms Okafor","minutesPerWeek":60,"drums":[true,false,true,true],"songs":["a"]}"#,
                    #"{"drums":[true,true,true,true],"mode":"wait","device":null,"sounds":{"song":true}}"#,
                    #"{"tenths":1,"lowerTenths":-1,"upperTenths":2,"taps":8}"#,
                    #"{"type":"send","device":"kit","data":"\u0001"}"#,
                    "[" + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "]",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkBodies(Data(bytes)) }
        ]
    }

    /// Any of the hub's bodies, in the same bytes: what is read is within the bounds that its checks promise.
    private static func checkBodies(_ data: Data) throws(BrokenProperty) {
        func read<Value: Decodable>(_ type: Value.Type) -> Value? { try? JSONDecoder().decode(type, from: data) }
        if let plant = read(PlantInput.self) {
            let name = try? plant.checkedName()
            try require(name.map { !$0.isEmpty && !$0.contains("\n") } ?? true, "a name is one line")
            _ = try? plant.checkedPlace()
            _ = try? plant.checkedArt()
            let limits = try? plant.checkedLimits()
            try require(
                limits.map { (0...100).contains($0.low) && $0.low < $0.high } ?? true, "limits are in order")
            let sensors = try? plant.checkedSensors()
            try require((sensors ?? []).count <= PlantInput.mostSensors, "sensors are few")
        }
        if let input = read(BrushingHub.SettingsInput.self) {
            var settings = BrushingHub.Settings(of: person, year: 2026)
            if (try? input.apply(to: &settings)) != nil {
                try require(BrushingHub.Settings.perDayChoices.contains(settings.perDay), "a day is kept by some")
            }
        }
        if let appointment = read(AppointmentInput.self) {
            let day = try? DayInput.day(appointment.day)
            try require(day.map { CivilDate(day: $0).description == appointment.day } ?? true, "a day is a date")
        }
        _ = read(DrumsHub.SettingsInput.self)
        _ = read(LatencyInput.self)
        _ = read(PlanInput.self)
        _ = read(SongInput.self)
        _ = read(PageFrame.self)
    }

    private static let person = PersonRecord(
        id: "mila", household: "linden", name: "Mila", role: .child, createdAt: 1)
}
