import BrushingEngine
import GRDB
import HubKit
import Logging
import Storage

/// The toothbrushes that the hub's radio hears: how each brushes now, and the sessions of those that brushed while nobody had
/// the page open.
actor Brushes {
    private let hub: HubContext
    private var sessions: [String: OralBSession] = [:]
    private var states: [String: BrushState] = [:]
    /// The brushings that have ended and may yet go on, by their devices.
    private var ended: [String: (brushing: OralBBrushing, household: String, at: Int64)] = [:]

    /// The least time of a brushing that is recorded, in seconds: less is somebody who tries the button.
    static let leastSeconds = 20
    /// The time in milliseconds for which a brushing that has ended may go on.
    static let patience: Int64 = 60_000

    init(hub: HubContext) { self.hub = hub }

    /// The state of a brush; nil while it does not brush.
    func state(of device: String) -> BrushState? { states[device] }

    /// Takes what a brush has broadcast.
    func heard(_ broadcast: BluetoothBroadcast, of device: String, household: String) {
        guard let data = broadcast.manufacturerData[OralBAdvertisement.company] else { return }
        let advertisement: OralBAdvertisement
        do throws(OralBError) {
            advertisement = try OralBAdvertisement(manufacturerData: data)
        } catch {
            return
        }
        var session = sessions[device] ?? OralBSession()
        take(session.heard(advertisement, at: broadcast.at), of: device, household)
        sessions[device] = session
        let state = session.brushing.map { brushing in
            BrushState(
                seconds: brushing.seconds, part: advertisement.sectorNumber.map { Int($0) },
                isTooHard: advertisement.isPressureHigh)
        }
        show(state, of: device, household)
    }

    /// Ends the brushings that are not heard any more, and stores those that are over.
    func timePassed() async {
        let now = hub.clock.now()
        for (device, session) in sessions {
            var session = session
            let events = session.passed(to: now)
            guard !events.isEmpty, let household = try? await hub.household()?.id else { continue }
            sessions[device] = session
            take(events, of: device, household)
            show(nil, of: device, household)
        }
        for (device, one) in ended where now - one.at >= Self.patience || now < one.at {
            ended[device] = nil
            do {
                try await BrushRecorder(hub: hub).store(one.brushing, of: device)
            } catch {
                hub.log.warning(
                    "what a toothbrush brushed could not be stored",
                    metadata: ["device": "\(device)", "reason": "\(error)"])
            }
        }
    }

    /// Forgets a brush that was removed.
    func forget(_ device: String) {
        sessions[device] = nil
        states[device] = nil
        ended[device] = nil
    }

    private func take(_ events: [OralBSession.Event], of device: String, _ household: String) {
        for event in events {
            switch event {
            case .began: break
            case .resumed: ended[device] = nil
            case .ended(let brushing, _):
                if brushing.seconds >= Self.leastSeconds { ended[device] = (brushing, household, hub.clock.now()) }
            }
        }
    }

    private func show(_ state: BrushState?, of device: String, _ household: String) {
        guard states[device] != state else { return }
        states[device] = state
        hub.live.publish(.changed(companion: Brushing.slug, what: "brush", id: device), household: household)
    }
}
