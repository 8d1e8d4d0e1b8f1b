import MotionLabEngine
import Signals
import WasmBridge
import Wire

// An experiment, read from its file and done.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) private var run: ExperimentRun?

/// Reads the experiment file in the buffer; returns 0, or the number of the ``ExperimentError``.
@_expose(wasm, "readExperiment")
@_cdecl("lab_read_experiment")
public func readExperiment(_ count: Int32) -> Int32 {
    run = nil
    do throws(ExperimentError) {
        run = ExperimentRun(try Experiment(bytes(count)))
        return 0
    } catch {
        return Int32(clamping: error.number)
    }
}

/// Makes the file of a built-in experiment the answer; empty beyond the last.
@_expose(wasm, "builtInExperiment")
@_cdecl("lab_built_in_experiment")
public func builtInExperiment(_ place: Int32) -> Int32 {
    guard Experiment.builtInFiles.indices.contains(Int(place)) else { return answer(with: []) }
    return answer(with: Experiment.builtInFiles[Int(place)].withUTF8Buffer { Array($0) })
}

/// Begins the experiment anew.
@_expose(wasm, "beginExperiment")
@_cdecl("lab_begin_experiment")
public func beginExperiment() {
    guard let before = run else { return }
    var next = ExperimentRun(before.experiment)
    next.parameters = before.parameters
    run = next
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

/// The time of the experiment: `seconds` since its start, and those that are `left`, 0 at the end.
@_expose(wasm, "experiment")
@_cdecl("lab_experiment")
public func experimentView(_ isDescribing: Int32) -> Int32 {
    answer(view: isDescribing) { view in
        view.write("seconds", run?.seconds)
        view.write("left", run?.secondsLeft)
    }
}

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

/// Computes the results so far. `quantity`: the number of the ``ExperimentRun/Result/Quantity``.
@_expose(wasm, "results")
@_cdecl("lab_results")
public func results(_ isDescribing: Int32) -> Int32 {
    answer(rows: run?.results ?? [], isDescribing) { row, result in
        row.write("quantity", result.quantity.rawValue)
        row.write("value", result.value)
        row.write("uncertainty", result.uncertainty)
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
