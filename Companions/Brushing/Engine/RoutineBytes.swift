import Wire

extension Routine {
    /// The encoded routine: the number of steps, then for each its kind, its repetitions, its seconds (two bytes,
    /// little-endian) and a byte in which bit 0 means on, and bit 7 that its quarters are ``QuarterOrder/rows``. The
    /// routine must pass ``check()``.
    public var bytes: [UInt8] {
        var bytes = [UInt8(clamping: steps.count)]
        for step in steps {
            bytes.append(step.kind.rawValue)
            bytes.append(UInt8(clamping: step.repetitions))
            bytes.append(littleEndian: Int16(clamping: step.seconds))
            bytes.append((step.isOn ? 1 : 0) | step.quarters.rawValue << 7)
        }
        return bytes
    }

    /// Decodes a whole routine within ``Limits``.
    public init(bytes: [UInt8]) throws(RoutineError) {
        var reader = LittleEndianReader(bytes[...])
        try self.init(&reader)
        guard reader.remaining == 0 else { throw .malformed }
    }

    /// Decodes the next routine.
    init(_ reader: inout LittleEndianReader) throws(RoutineError) {
        let count = Int(reader.uint8())
        guard count <= Limits.steps.upperBound else { throw .tooManySteps }
        var steps: [RoutineStep] = []
        for _ in 0..<count {
            let kind = RoutineStep.Kind(rawValue: reader.uint8())
            let repetitions = reader.uint8()
            let seconds = reader.int16()
            let flags = reader.uint8()
            guard !reader.isCutOff, flags & 0x7F <= 1, let quarters = QuarterOrder(rawValue: flags >> 7) else {
                throw .malformed
            }
            guard let kind else { throw .unknownKind }
            guard kind == .brush || quarters == .around else { throw .malformed }
            steps.append(
                RoutineStep(
                    kind: kind, repetitions: Int(repetitions), seconds: Int(seconds), isOn: flags & 1 == 1,
                    quarters: quarters))
        }
        guard !reader.isCutOff else { throw .malformed }
        self.init(steps: steps)
        try check()
    }
}
