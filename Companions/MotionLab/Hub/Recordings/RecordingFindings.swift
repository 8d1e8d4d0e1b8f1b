import HubKit
import Localization
import MotionLabEngine

/// The oddities of a recording, in sentences for whoever recorded it: nothing of it is lost, but they should know.
enum RecordingFindings {
    static func texts(_ recording: StoredRecording) -> [LocalizedText] {
        recording.streams.flatMap { texts($0, of: recording) } + messages(of: recording)
    }

    private static func texts(_ stream: StoredRecording.Stream, of recording: StoredRecording) -> [LocalizedText] {
        guard let kind = SensorKind(sensor: stream.sensor) else { return [] }
        let sensor = name(of: kind)
        var texts: [LocalizedText] = []
        if stream.isSimulated == true {
            texts.append(LocalizedText("\(sensor): simulated. Nothing was measured."))
        }
        if let hertz = stream.hertz, let claimed = stream.claimedHertz, stream.verdict == "slower" {
            texts.append(
                LocalizedText(
                    "\(sensor): \(thousandths: (hertz * 1_000).rounded().clamped, decimals: 1) values a second, and the phone says \(thousandths: (claimed * 1_000).rounded().clamped, decimals: 1)."
                ))
        } else if stream.verdict == "interrupted" {
            texts.append(LocalizedText("\(sensor): measured with pauses."))
        }
        switch stream.state ?? (hasStopped(stream, before: recording) ? "stopped" : "") {
        case "stopped": texts.append(LocalizedText("\(sensor): stopped before the end of the recording."))
        case "notPermitted":
            texts.append(
                LocalizedText(
                    "\(sensor): this phone was not allowed to measure it. Allow it in the settings of the browser, then record again."
                ))
        case "missing": texts.append(LocalizedText("\(sensor): this phone has no such sensor."))
        default: break
        }
        return texts
    }

    /// Whether a sensor of an app stopped. Nobody says so, but it is silent while others go on.
    private static func hasStopped(_ stream: StoredRecording.Stream, before recording: StoredRecording) -> Bool {
        guard recording.origin == .push, let kind = SensorKind(sensor: stream.sensor),
            let last = stream.lastMicroseconds
        else { return false }
        let patience = max(3 * PhoneStreams.stream(kind).gapMicroseconds, 5_000_000)
        return recording.endMicroseconds - last > patience
    }

    private static func messages(of recording: StoredRecording) -> [LocalizedText] {
        var texts: [LocalizedText] = []
        if recording.missingMessages > 0 {
            texts.append(LocalizedText("\(recording.missingMessages) messages of the app have not come."))
        }
        if recording.repeatedMessages > 0 {
            texts.append(
                LocalizedText("\(recording.repeatedMessages) messages of the app came again, and are stored once."))
        }
        if recording.reorderedSamples > 0 {
            texts.append(
                LocalizedText("\(recording.reorderedSamples) values came out of order, and were put in order."))
        }
        if recording.refusedSamples > 0 {
            texts.append(
                LocalizedText(
                    "\(recording.refusedSamples) values could not be used: an axis or the time was missing or impossible."
                ))
        }
        return texts
    }

    /// The name of what a sensor measures.
    static func name(of kind: SensorKind) -> LocalizedText {
        switch kind {
        case .accelerometer: LocalizedText("Acceleration")
        case .linearAcceleration: LocalizedText("Acceleration without gravity")
        case .gravity: LocalizedText("Gravity")
        case .gyroscope: LocalizedText("Rotation")
        case .magnetometer: LocalizedText("Magnetic field")
        case .barometer: LocalizedText("Air pressure")
        case .altitude: LocalizedText("Height")
        case .orientation: LocalizedText("Orientation")
        case .sound: LocalizedText("Loudness")
        case .light: LocalizedText("Light")
        case .steps: LocalizedText("Steps")
        case .temperature: LocalizedText("Temperature")
        case .humidity: LocalizedText("Air humidity")
        }
    }
}

extension Double {
    /// The nearest whole number that there is; 0 for no number.
    fileprivate var clamped: Int64 { isNaN ? 0 : Int64(max(min(self, 9e15), -9e15)) }
}
