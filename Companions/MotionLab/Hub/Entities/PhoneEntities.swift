import GRDB
import HubKit
import Localization
import MotionLabEngine
import Storage
import Wire

/// The newest value of what a phone measures as one number: pressure, sound, light, and the like.
struct PhoneValue: Sendable, Equatable {
    var kind: SensorKind
    var value: Double

    /// The newest values of a message's blocks.
    static func newest(_ blocks: [(kind: SensorKind, block: SampleBlock)]) -> [PhoneValue] {
        blocks.compactMap { kind, block in
            guard kind.axisCount == 1, let last = block.axes.first?.last else { return nil }
            return PhoneValue(kind: kind, value: Double(last) / kind.multiplesPerUnit)
        }
    }
}

extension MotionLab {
    /// The time after which a phone that sent nothing is not measuring, milliseconds.
    private static let silentAfter: Int64 = 30_000

    /// The values of each phone that sends by itself, as long as it does, for other programs to show.
    public func entities(household: String) async throws -> [Entity] {
        let now = hub.clock.now()
        let devices = try await hub.database.pool.read { db in
            try db.devices(household: household).filter { $0.kind == Self.phoneKind }
        }
        return devices.flatMap { device in
            let owner = Entity.Owner(id: device.id, name: device.name, kind: "Phone")
            let isMeasuring = phones.heardAt(device.id).map { now - $0 < Self.silentAfter } ?? false
            let flag = Entity(
                of: owner, "measuring", LocalizedText("Measuring"), .flag(isProblem: false), .flag(isMeasuring))
            return [flag]
                + phones.values(device.id).map { one in
                    Entity(
                        of: owner, "\(one.kind.name)", RecordingFindings.name(of: one.kind),
                        .measurement(.init(unit: "\(one.kind.unit)", decimals: 1)),
                        isMeasuring ? .number(one.value) : .unavailable)
                }
        }
    }
}
