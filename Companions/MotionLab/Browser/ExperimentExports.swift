import MotionLabEngine
import Signals
import WasmBridge
import Wire

// An experiment, read from its file and done.

// Safe, all: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var run: ExperimentRun?
nonisolated(unsafe) private var subject: [UInt8] = []
nonisolated(unsafe) private var results: [ExperimentRun.Result] = []

/// Reads the experiment file in the buffer; returns 0, or the number of the ``ExperimentError``.
@_expose(wasm, "readExperiment")
@_cdecl("lab_read_experiment")
public func readExperiment(_ count: Int32) -> Int32 {
    run = nil
    do throws(ExperimentError) {
        run = ExperimentRun(try Experiment(bytes(count)))
        return 0
    } catch {
        subject = error.subject ?? []
        return Int32(clamping: error.number)
    }
}

/// Makes the subject of the last error the answer: a name in the file.
@_expose(wasm, "experimentSubject")
@_cdecl("lab_experiment_subject")
public func experimentSubject() -> Int32 { answer(with: subject) }

/// Makes the file of a built-in experiment the answer; empty beyond the last.
@_expose(wasm, "builtInExperiment")
@_cdecl("lab_built_in_experiment")
public func builtInExperiment(_ place: Int32) -> Int32 {
    guard Experiment.builtInFiles.indices.contains(Int(place)) else { return answer(with: []) }
    return answer(with: Experiment.builtInFiles[Int(place)].withUTF8Buffer { Array($0) })
}

/// The rate that is wanted of a sensor of the experiment, by its index, samples a second; 0 for all, -1 beyond the
/// last.
@_expose(wasm, "experimentHertz")
@_cdecl("lab_experiment_hertz")
public func experimentHertz(_ place: Int32) -> Double {
    guard let sensors = run?.experiment.sensors, sensors.indices.contains(Int(place)) else { return -1 }
    return sensors[Int(place)].hertz ?? 0
}

/// The ``SensorKind`` of a sensor of the experiment, by its place; -1 beyond the last.
@_expose(wasm, "experimentKind")
@_cdecl("lab_experiment_kind")
public func experimentKind(_ place: Int32) -> Int32 {
    guard let sensors = run?.experiment.sensors, sensors.indices.contains(Int(place)) else { return -1 }
    return Int32(sensors[Int(place)].kind.rawValue)
}

/// Begins the experiment anew.
@_expose(wasm, "beginExperiment")
@_cdecl("lab_begin_experiment")
public func beginExperiment() {
    guard let before = run else { return }
    var next = ExperimentRun(before.experiment)
    next.parameters = before.parameters
    run = next
    results = []
}

/// Sets a parameter; returns its clamped value.
@_expose(wasm, "setParameter")
@_cdecl("lab_set_parameter")
public func setParameter(_ place: Int32, _ value: Double) -> Double {
    guard let parameters = run?.experiment.parameters, parameters.indices.contains(Int(place)) else { return .nan }
    let parameter = parameters[Int(place)]
    let held = value.isFinite ? min(max(value, parameter.least), parameter.most) : parameter.value
    run?.parameters[Int(place)] = held
    return held
}

/// Adds a sample, if the experiment has this sensor.
func experiment(_ sample: [Double], of kind: SensorKind, at time: Int64) {
    run?.add(sample, of: kind, at: time)
}

/// The time since the start of the experiment, seconds.
@_expose(wasm, "experimentSeconds")
@_cdecl("lab_experiment_seconds")
public func experimentSeconds() -> Double { run?.seconds ?? 0 }

/// The time that is left, seconds; 0 at the end.
@_expose(wasm, "experimentLeft")
@_cdecl("lab_experiment_left")
public func experimentLeft() -> Double { run?.secondsLeft ?? 0 }

/// Makes the points of a plot the answer: f32 across, and up for each line; NaN for no value. See
/// ``ExperimentRun/points(of:most:)``.
@_expose(wasm, "experimentPlot")
@_cdecl("lab_experiment_plot")
public func experimentPlot(_ plot: Int32, _ most: Int32) -> Int32 {
    answer(with: littleEndian(run?.points(of: Int(plot), most: Int(most)) ?? []))
}

/// One of how many moments a plot shows with so many points at most.
@_expose(wasm, "experimentEvery")
@_cdecl("lab_experiment_every")
public func experimentEvery(_ plot: Int32, _ most: Int32) -> Int32 {
    Int32(clamping: run?.every(Int(plot), most: Int(most)) ?? 1)
}

/// Computes the results; returns their number.
@_expose(wasm, "finishExperiment")
@_cdecl("lab_finish_experiment")
public func finishExperiment() -> Int32 {
    results = run?.results ?? []
    return Int32(clamping: results.count)
}

/// A number of a result: 0 the number of its ``ExperimentRun/Result/Quantity``, 1 its value, 2 its uncertainty.
@_expose(wasm, "experimentResult")
@_cdecl("lab_experiment_result")
public func experimentResult(_ place: Int32, _ which: Int32) -> Double {
    guard results.indices.contains(Int(place)) else { return .nan }
    let result = results[Int(place)]
    return switch which {
    case 0: Double(result.quantity.rawValue)
    case 1: result.value
    default: result.uncertainty
    }
}

/// The level of the sound in the buffer, f32 samples, in dB relative to full scale; -120 for silence.
@_expose(wasm, "soundLevel")
@_cdecl("lab_sound_level")
public func soundLevel(_ count: Int32) -> Double {
    var reader = LittleEndianReader(bytes(count)[...])
    var energy = 0.0
    var samples = 0
    while reader.remaining >= 4 {
        let value = Double(Float(bitPattern: reader.uint32()))
        guard value.isFinite else { continue }
        energy += value * value
        samples += 1
    }
    guard samples > 0, energy > 0 else { return -120 }
    return max(10 * log(energy / Double(samples)) / log(10), -120)
}

/// The pressure of a simulated ride in a lift at a time since its start, kPa.
@_expose(wasm, "simulatedPressure")
@_cdecl("lab_simulated_pressure")
public func simulatedPressure(_ seconds: Double) -> Double { LiftSimulation.pressure(at: seconds) }
