import MotionLabEngine
import Wire

extension ExportedRecording.Series {
    /// The accelerations without their gravity.
    ///
    /// - Parameter turning: the gyroscope's samples of the same recording; nil for one without.
    func withoutGravity(turning: Self?) -> Self {
        guard let linear = MotionLabEngine.withoutGravity(vectors, at: times, turning: turning?.rates) else {
            return self
        }
        var moved = self
        moved.axes = [linear.map { kind.multiple(of: $0.x) ?? 0 }, linear.map { kind.multiple(of: $0.y) ?? 0 }]
        moved.axes.append(linear.map { kind.multiple(of: $0.z) ?? 0 })
        return moved
    }

    /// The same with the length of each vector as one more axis.
    var withLength: Self {
        guard kind.axisCount == 3 else { return self }
        var longer = self
        longer.axes.append(vectors.map { kind.multiple(of: $0.magnitude) ?? 0 })
        return longer
    }

    /// The same orientations without jumps: a quaternion and its negative are one rotation, and a mean over both would
    /// be none.
    var continued: Self {
        guard kind == .orientation, times.count > 1 else { return self }
        var even = self
        for place in times.indices.dropFirst() {
            var likeness = 0.0
            for axis in even.axes { likeness += Double(axis[place - 1]) * Double(axis[place]) }
            guard likeness < 0 else { continue }
            for axis in even.axes.indices { even.axes[axis][place].negate() }
        }
        return even
    }

    private var rates: TurningRates { TurningRates(times: times, rates: vectors) }

    private var vectors: [Vector3] {
        times.indices.map { place in
            Vector3(kind.value(axes[0][place]), kind.value(axes[1][place]), kind.value(axes[2][place]))
        }
    }
}
