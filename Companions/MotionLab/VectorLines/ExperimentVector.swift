import MotionLabEngine
import VectorLines
import Wire

/// Formulas and experiments.
struct ExperimentVector {
    private var experiment: Experiment?

    mutating func answer(_ command: Span<UInt8>, _ line: VectorLine, _ text: inout TextWriter) -> Bool {
        if matches(command, "formula") {
            // The formula, then a name and its value each.
            var (names, values) = ([[UInt8]](), [Double?]())
            var index = 2
            while index < line.words.count {
                names.append(line.text(index))
                values.append(line.decimal(index + 1))
                index += 2
            }
            do throws(Formula.Failure) {
                text.write("", try Formula(line.text(1), channels: names).value(values))
            } catch {
                text.write("error ", Int64(error.kind.rawValue))
                text.write(" at ", Int64(error.offset))
            }
        } else if matches(command, "experiment") {
            do throws(ExperimentError) {
                let read = try Experiment(line.text(1))
                experiment = read
                write(read, &text)
            } catch {
                text.write("error ", error.number)
                if let subject = error.subject {
                    text.write(" ")
                    text.write(bytes: subject)
                }
                switch error {
                case .json(let offset): text.write(" at ", Int64(offset))
                case .newerVersion(let version): text.write(" version ", version)
                case .formula(_, let failure):
                    text.write(" ", Int64(failure.kind.rawValue))
                    text.write(" at ", Int64(failure.offset))
                default: break
                }
            }
        } else if matches(command, "built-in") {
            let all = Experiment.builtIn
            guard let place = line.count(1), place < all.count else { return text.refuse() }
            experiment = all[place]
            write(all[place], &text)
        } else if matches(command, "columns") {
            // The most columns, and the values of one line a second apart; `nan` where there is none.
            guard let most = line.count(1) else { return text.refuse() }
            var columns = PlotColumns(lines: 1, most: most)
            for index in 2..<max(line.words.count, 2) {
                columns.append([Float(index - 2), line.decimal(index).map { Float($0) } ?? .nan])
            }
            text.write("width ", Int64(columns.width))
            for (place, value) in columns.points.enumerated() {
                text.write(place % 2 == 0 ? ", " : " ", value.isNaN ? nil : Double(value))
            }
        } else if matches(command, "moment") {
            // Seconds, and the axes; of the file's own parameters.
            guard let experiment, let seconds = line.decimal(1) else { return text.refuse() }
            var axes: [Double?] = []
            for index in 2..<max(line.words.count, 2) { axes.append(line.decimal(index)) }
            let values = experiment.values(seconds: seconds, axes: axes, parameters: [])
            for (place, value) in values.enumerated() { text.write(place > 0 ? " " : "", value) }
        } else {
            return false
        }
        return true
    }

    private func write(_ experiment: Experiment, _ text: inout TextWriter) {
        text.write(bytes: experiment.slug)
        text.write(", ", experiment.seconds)
        text.write(" s, ")
        text.write(experiment.analysis.name)
        text.write(":")
        for channel in experiment.channels {
            text.write(" ")
            text.write(bytes: channel)
        }
        text.write("; plots ", Int64(experiment.plots.count))
    }
}
