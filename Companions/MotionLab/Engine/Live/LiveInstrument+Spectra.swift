import Wire

extension LiveInstrument {
    /// The spectra of at most a number of last samples of a sensor, without gravity.
    ///
    /// Gravity is taken off the acceleration by the gyroscope where there is one. Where there is none it is the
    /// device's own acceleration without gravity, if it sends one, and otherwise each axis less its mean.
    /// - Parameter transform: that of the last time, which is made anew where another is needed.
    /// - Returns: nil where too little came, or of a kind that has no axes.
    public func spectra(
        of kind: SensorKind, last count: Int, transform: inout FastFourierTransform?
    ) -> AxisSpectra? {
        guard kind.axisCount == 3, var history = sensor(kind)?.history else { return nil }
        let turning = kind == .accelerometer ? turningRates(last: count) : nil
        if kind == .accelerometer, turning == nil, let own = deviceLinear { history = own }
        let times = history.times(last: count)
        var samples: [[Double]] = []
        for axis in 0..<3 { samples.append(history.series(axis, last: count)) }
        if kind == .accelerometer {
            var felt: [Vector3] = []
            for place in times.indices {
                felt.append(Vector3(samples[0][place], samples[1][place], samples[2][place]))
            }
            guard let linear = withoutGravity(felt, at: times, turning: turning) else { return nil }
            samples = [linear.map { $0.x }, linear.map { $0.y }, linear.map { $0.z }]
        }
        return AxisSpectra(
            times: times, samples: samples, least: 1 / kind.multiplesPerUnit, transform: &transform)
    }

    /// The gyroscope's last rates; nil where none come beside the acceleration.
    private func turningRates(last count: Int) -> TurningRates? {
        guard isTurningKnown, let history = sensor(.gyroscope)?.history else { return nil }
        let times = history.times(last: count)
        let (x, y, z) = (
            history.series(0, last: count), history.series(1, last: count), history.series(2, last: count)
        )
        var rates: [Vector3] = []
        for place in times.indices { rates.append(Vector3(x[place], y[place], z[place])) }
        return TurningRates(times: times, rates: rates)
    }

    /// The device's own acceleration without gravity, while it comes; one that is the same all the time is none.
    private var deviceLinear: SampleHistory? {
        guard let own = sensor(.linearAcceleration), let felt = sensor(.accelerometer),
            own.state(at: felt.time) == .live,
            own.history.count >= AxisSpectra.leastCount
        else { return nil }
        return own.history
    }
}
