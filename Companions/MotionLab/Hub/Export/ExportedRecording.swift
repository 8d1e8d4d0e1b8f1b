import MotionLabEngine
import Wire

/// A recording with its samples, as far as they are read.
struct ExportedRecording: Sendable {
    /// One sensor's samples, in order of time.
    struct Series: Sendable {
        var kind: SensorKind
        /// UTC microseconds by the phone's clock.
        var times: [Int64] = []
        /// The values of each axis, as whole multiples of what the kind distinguishes.
        var axes: [[Int64]]

        init(_ kind: SensorKind) {
            self.kind = kind
            axes = Array(repeating: [], count: kind.axisCount)
        }

        mutating func append(_ block: SampleBlock) {
            times += block.times
            for axis in axes.indices { axes[axis] += block.axes[axis] }
        }

        /// Sorts the values by time, and keeps the first of those of the same time: pieces may have come in any order.
        mutating func sort() {
            var isSorted = true
            for place in times.indices.dropFirst() where times[place] <= times[place - 1] {
                isSorted = false
                break
            }
            guard !isSorted else { return }
            let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
            var chosen: [Int] = []
            for place in order where chosen.last.map({ times[$0] != times[place] }) ?? true { chosen.append(place) }
            let (oldTimes, oldAxes) = (times, axes)
            times = chosen.map { oldTimes[$0] }
            axes = oldAxes.map { axis in chosen.map { axis[$0] } }
        }
    }

    var response: RecordingResponse
    var series: [Series]
    /// The name of whoever recorded it, and that of the phone that sent it; empty where it was none.
    var person = "", phone = ""
}
