import Wire

extension Experiment {
    /// Reads a file.
    ///
    /// - Throws: what is wrong first; ``ExperimentError/words()`` says it.
    public init(_ file: [UInt8]) throws(ExperimentError) {
        var reader = ExperimentReader(file)
        guard try reader.next() == .objectStart,
            try reader.key().map({ reader.matches($0, "tandemExperiment") }) == true
        else { throw .unrecognized }
        guard let version = reader.integer(try reader.next()) else { throw .unrecognized }
        guard version == 1 else { throw version > 1 ? .newerVersion(version) : .unrecognized }
        self.init()
        var formulaTexts: [(name: [UInt8], unit: [UInt8], text: [UInt8])] = []
        var plotTexts: [(title: [UInt8], x: [UInt8], y: [[UInt8]])] = []
        var seen: [[UInt8]] = []
        while let key = try reader.key() {
            let name = reader.bytes(key)
            guard !seen.contains(name) else { throw .unknownMember(name) }
            seen.append(name)
            let value = try reader.next()
            if reader.matches(key, "slug") {
                slug = try reader.text(value, name)
            } else if reader.matches(key, "title") {
                title = try reader.text(value, name)
            } else if reader.matches(key, "seconds") {
                seconds = try reader.number(value, name, 1...Limits.seconds)
            } else if reader.matches(key, "analysis") {
                let text = try reader.text(value, name)
                guard let known = Analysis.allCases.first(where: { Wire.matches(text.span, $0.name) }) else {
                    throw .badMember(name)
                }
                analysis = known
            } else if reader.matches(key, "sensors") {
                try reader.list(value, name, most: Limits.sensors) { (reader) throws(ExperimentError) in
                    sensors.append(try Self.sensor(&reader))
                }
            } else if reader.matches(key, "parameters") {
                try reader.list(value, name, most: Limits.parameters) { (reader) throws(ExperimentError) in
                    parameters.append(try Self.parameter(&reader))
                }
            } else if reader.matches(key, "formulas") {
                try reader.list(value, name, most: Limits.formulas) { (reader) throws(ExperimentError) in
                    formulaTexts.append(try Self.formula(&reader))
                }
            } else if reader.matches(key, "plots") {
                try reader.list(value, name, most: Limits.plots) { (reader) throws(ExperimentError) in
                    plotTexts.append(try Self.plot(&reader))
                }
            } else {
                throw .unknownMember(name)
            }
        }
        guard try reader.next() == .end else { throw .unrecognized }
        try check()
        for formula in formulaTexts {
            let known = channels
            guard isFormulaName(formula.name), !known.contains(formula.name) else { throw .name(formula.name) }
            do throws(Formula.Failure) {
                formulas.append(
                    Computed(
                        name: formula.name, unit: formula.unit, text: formula.text,
                        formula: try Formula(formula.text, channels: known)))
            } catch {
                throw .formula(formula.name, error)
            }
        }
        let known = channels
        for text in plotTexts {
            var plot = Plot(title: text.title)
            guard let x = known.firstIndex(of: text.x) else { throw .plot(text.x) }
            plot.x = x
            for line in text.y {
                guard let place = known.firstIndex(of: line) else { throw .plot(line) }
                plot.y.append(place)
            }
            plots.append(plot)
        }
    }

    private func check() throws(ExperimentError) {
        guard !slug.isEmpty, slug.count <= 40, slug.allSatisfy({ Self.isSlugByte($0) }) else {
            throw .badMember(letters(of: "slug"))
        }
        guard !title.isEmpty, title.count <= Limits.titleBytes else { throw .badMember(letters(of: "title")) }
        guard !sensors.isEmpty else { throw .badMember(letters(of: "sensors")) }
        for (place, sensor) in sensors.enumerated() {
            for other in sensors[..<place] where other.kind == sensor.kind {
                throw .sensor(letters(of: sensor.kind.name))
            }
        }
        let channels = channels
        for parameter in parameters {
            guard isFormulaName(parameter.name), channels.count(where: { $0 == parameter.name }) == 1 else {
                throw .name(parameter.name)
            }
        }
    }

    private static func isSlugByte(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte &- UInt8(ascii: "0") < 10
            || byte == UInt8(ascii: "-")
    }

    private static func sensor(_ reader: inout ExperimentReader) throws(ExperimentError) -> Sensor {
        var kind: SensorKind?
        var hertz: Double?
        while let key = try reader.key() {
            let (name, value) = (reader.bytes(key), try reader.next())
            if reader.matches(key, "sensor") {
                let text = try reader.text(value, name)
                kind = SensorKind(name: text.span)
                guard kind != nil else { throw .sensor(text) }
            } else if reader.matches(key, "hertz") {
                hertz = try reader.number(value, name, 0.01...Limits.hertz)
            } else {
                throw .unknownMember(name)
            }
        }
        guard let kind else { throw .badMember(letters(of: "sensor")) }
        return Sensor(kind: kind, hertz: hertz)
    }

    private static func parameter(_ reader: inout ExperimentReader) throws(ExperimentError) -> Parameter {
        var parameter = Parameter()
        let range = -1e9...1e9
        while let key = try reader.key() {
            let (name, value) = (reader.bytes(key), try reader.next())
            if reader.matches(key, "name") {
                parameter.name = try reader.text(value, name)
            } else if reader.matches(key, "unit") {
                parameter.unit = try reader.text(value, name)
            } else if reader.matches(key, "value") {
                parameter.value = try reader.number(value, name, range)
            } else if reader.matches(key, "least") {
                parameter.least = try reader.number(value, name, range)
            } else if reader.matches(key, "most") {
                parameter.most = try reader.number(value, name, range)
            } else {
                throw .unknownMember(name)
            }
        }
        guard parameter.least <= parameter.value, parameter.value <= parameter.most else {
            throw .badMember(parameter.name)
        }
        return parameter
    }

    private static func formula(_ reader: inout ExperimentReader) throws(ExperimentError) -> (
        name: [UInt8], unit: [UInt8], text: [UInt8]
    ) {
        var formula: (name: [UInt8], unit: [UInt8], text: [UInt8]) = ([], [], [])
        while let key = try reader.key() {
            let (name, value) = (reader.bytes(key), try reader.next())
            if reader.matches(key, "name") {
                formula.name = try reader.text(value, name)
            } else if reader.matches(key, "unit") {
                formula.unit = try reader.text(value, name)
            } else if reader.matches(key, "formula") {
                formula.text = try reader.text(value, name)
            } else {
                throw .unknownMember(name)
            }
        }
        return formula
    }

    private static func plot(_ reader: inout ExperimentReader) throws(ExperimentError) -> (
        title: [UInt8], x: [UInt8], y: [[UInt8]]
    ) {
        var plot: (title: [UInt8], x: [UInt8], y: [[UInt8]]) = ([], letters(of: "time"), [])
        while let key = try reader.key() {
            let (name, value) = (reader.bytes(key), try reader.next())
            if reader.matches(key, "title") {
                plot.title = try reader.text(value, name)
            } else if reader.matches(key, "x") {
                plot.x = try reader.text(value, name)
            } else if reader.matches(key, "y") {
                guard value == .arrayStart else { throw .badMember(name) }
                while true {
                    let element = try reader.next()
                    if element == .arrayEnd { break }
                    plot.y.append(try reader.text(element, name))
                    guard plot.y.count <= Limits.linesOfAPlot else { throw .tooMany(name) }
                }
            } else {
                throw .unknownMember(name)
            }
        }
        guard !plot.y.isEmpty else { throw .badMember(letters(of: "y")) }
        return plot
    }
}

/// JSON of an experiment, token by token, with its own errors.
private struct ExperimentReader {
    private var reader = JSONReader(depthLimit: 8, sizeLimit: Experiment.Limits.bytes)
    private let file: [UInt8]

    init(_ file: [UInt8]) { self.file = file }

    mutating func next() throws(ExperimentError) -> JSONReader.Token {
        let file = file
        do throws(JSONError) {
            return try reader.next(in: file.span)
        } catch {
            throw ExperimentError(error)
        }
    }

    /// The name of the next member of an object; nil at its end.
    mutating func key() throws(ExperimentError) -> Range<Int>? {
        if case .key(let range) = try next() { return range }
        return nil
    }

    func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
        Wire.matches(file.span.extracting(range), word)
    }

    func bytes(_ range: Range<Int>) -> [UInt8] { JSONReader.unescaped(range, in: file.span) }

    func text(_ token: JSONReader.Token, _ name: [UInt8]) throws(ExperimentError) -> [UInt8] {
        guard case .string(let range) = token else { throw .badMember(name) }
        return bytes(range)
    }

    func number(
        _ token: JSONReader.Token, _ name: [UInt8], _ allowed: ClosedRange<Double>
    ) throws(ExperimentError) -> Double {
        guard case .number(let range) = token, let value = decimal(file.span.extracting(range)), allowed.contains(value)
        else { throw .badMember(name) }
        return value
    }

    func integer(_ token: JSONReader.Token) -> Int64? {
        guard case .number(let range) = token else { return nil }
        return Wire.integer(file.span.extracting(range))
    }

    /// Reads each object of a list, whose members come next.
    mutating func list(
        _ token: JSONReader.Token, _ name: [UInt8], most: Int,
        _ element: (inout ExperimentReader) throws(ExperimentError) -> Void
    ) throws(ExperimentError) {
        guard token == .arrayStart else { throw .badMember(name) }
        var count = 0
        while true {
            let token = try next()
            if token == .arrayEnd { return }
            guard token == .objectStart else { throw .badMember(name) }
            count += 1
            guard count <= most else { throw .tooMany(name) }
            try element(&self)
        }
    }
}
