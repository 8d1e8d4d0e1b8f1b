/// The rules that make the charts of a song: three from where its music has something to hit, and the fourth from the
/// third.
///
/// The rule is the same for a tune, a drum part and a recording of which only the tempo is known:
/// - A place is a beat, a half or a quarter of one, or a third in a compound metre. What begins within a sixteenth of a
///   beat of a place lies on it; what lies on none is left out.
/// - Places have a weight: the first beat of a bar weighs most, then the middle of a bar that has one, then the other
///   beats, then halves and thirds, then quarters. Heavier places are taken first, and of equal ones the earlier.
/// - Between two hits of a level there is at least ``leastGap`` of it. The gaps halve from level to level, as the parts
///   of a beat do, so that at every tempo a level is denser than the one before wherever the music has enough to hit.
/// - In compound metres above 57 beats a minute the thirds of a beat lie too close together for a hand, so that level 3
///   finds no more than the beats, which level 2 has. Level 2 then leaves out every other one of its lightest hits: it
///   asks for more than level 1 and for less than level 3, on beats all the same.
/// - What is lighter than the first beat of a bar also keeps that distance from the end of the song.
/// - Level 4 is level 3 with what lies between its hits filled in, as the original's is: beats, halves and thirds, and
///   quarters where those find no room. A rest longer than a bar stays one, and so does what is before the first hit of
///   level 3 and behind its last. It follows from the chart alone, so that songs that were stored with three get it
///   too.
/// - Level 1 and 2 ask for whole beats only, unless the music has nothing there.
/// - Where a level would ask for more than ``Song/Limits/hits``, as in half an hour of music, its gap is doubled.
enum LevelRules {
    /// The least milliseconds between two hits. A hand that needs a second and a half for a reaction has time on level
    /// 1; on level 3 the fastest that a single hand can change drums is left out.
    static func leastGap(_ level: Level) -> Int64 {
        switch level {
        case .one: 1_400
        case .two: 700
        case .three: 350
        // What comes sooner on the same drum, the original's kit takes for a bounce.
        case .four: 200
        }
    }

    /// The lightest place that a level asks for.
    private static func leastWeight(_ level: Level) -> Int {
        switch level {
        case .one, .two: 2
        case .three, .four: 0
        }
    }

    /// The metre that a song's places lie in.
    struct Grid {
        var beats: Int
        var beatsPerBar: Int
        var upbeatBeats: Int
        var meterChanges: [MeterChange] = []
        /// The parts of a beat, 2 or 3.
        var beatDivision: UInt8
        var tempo: [TempoChange]

        /// The finest steps of a beat that still fit into a chart: 4 or 3, else 2, else 1.
        var stepsPerBeat: Int {
            // No loop over a literal: the optimiser for 32 bits took one array for the other.
            let most = Song.Limits.beats / max(beats, 1)
            if beatDivision == 3 { return most >= 3 ? 3 : 1 }
            return most >= 4 ? 4 : most >= 2 ? 2 : 1
        }

        /// The weight of a step of the finest grid: 0 to 4.
        func weight(_ step: Int) -> Int {
            let steps = stepsPerBeat
            guard step % steps == 0 else { return steps == 3 || step % steps * 2 == steps ? 1 : 0 }
            let (inBar, beatsPerBar) = place(ofBeat: step / steps)
            if inBar == 0 { return 4 }
            return beatsPerBar % 2 == 0 && beatsPerBar > 2 && inBar == beatsPerBar / 2 ? 3 : 2
        }

        /// The place of a beat in its bar, from 0, and the beats of that bar.
        func place(ofBeat beat: Int) -> (inBar: Int, beatsPerBar: Int) {
            var (start, perBar) = (upbeatBeats - beatsPerBar, beatsPerBar)
            for change in meterChanges where Int(change.beat) <= beat {
                (start, perBar) = (Int(change.beat), Int(change.beatsPerBar))
            }
            return ((beat - start) % perBar, perBar)
        }
    }

    /// The charts of a song.
    ///
    /// - Parameter onsets: ticks at which something begins, in any order.
    /// - Returns: the charts of level 1 to 4; without a hit where nothing begins on any place.
    static func charts(onsets: [Int64], grid: Grid) -> [Chart] {
        let places = places(onsets, grid)
        let one = hits(.one, places, grid)
        var two = hits(.two, places, grid)
        let three = hits(.three, places, grid)
        if grid.beatDivision == 3, two == three {
            let fewer = thinned(two, grid)
            if count(fewer) > count(one) { two = fewer }
        }
        let hard = coarsest(three, grid)
        return [coarsest(one, grid), coarsest(two, grid), hard, filled(hard, grid)]
    }

    /// The chart of level 4.
    ///
    /// - Parameter hard: the chart of level 3, by the rule or as written in the song.
    static func filled(_ hard: Chart, _ grid: Grid) -> Chart {
        let finest = grid.stepsPerBeat
        let coarse = Int(hard.stepsPerBeat)
        // What is written in steps that the grid does not have stays as it is.
        guard coarse > 0, finest % coarse == 0, hard.steps.count == grid.beats * coarse else { return hard }
        var places = [Bool](repeating: false, count: grid.beats * finest)
        for step in 0..<hard.steps.count where hard.steps[step] { places[step * (finest / coarse)] = true }
        guard count(places) <= Song.Limits.hits else { return hard }
        // Where something may be added: between two hits that lie at most a bar apart.
        var between = [Bool](repeating: false, count: places.count)
        var last = places.count
        for step in 0..<places.count where places[step] {
            if step - last <= grid.beatsPerBar * finest, step > last {
                for add in last + 1..<step { between[add] = true }
            }
            last = step
        }
        var gap = leastGap(.four) * 1_000
        while true {
            var steps = places
            take(between, into: &steps, atLeast: 1, gap: gap, grid)
            if steps == places { take(between, into: &steps, atLeast: 0, gap: gap, grid) }
            if count(steps) <= Song.Limits.hits { return coarsest(steps, grid) }
            gap *= 2
        }
    }

    /// The hits of a level, in steps of the finest grid.
    private static func hits(_ level: Level, _ places: [Bool], _ grid: Grid) -> [Bool] {
        var least = leastWeight(level)
        var gap = leastGap(level)
        while true {
            var steps = [Bool](repeating: false, count: places.count)
            take(places, into: &steps, atLeast: least, gap: gap * 1_000, grid)
            let count = count(steps)
            if count > Song.Limits.hits {
                gap *= 2
            } else if count > 0 || least == 0 {
                return steps
            } else {
                least -= 1
            }
        }
    }

    private static func count(_ hits: [Bool]) -> Int {
        var count = 0
        for hit in hits where hit { count += 1 }
        return count
    }

    /// The hits without the second, the fourth and so on of the lightest ones: of two bars, the one that ends a phrase
    /// rests.
    private static func thinned(_ hits: [Bool], _ grid: Grid) -> [Bool] {
        var lightest = 4
        for step in 0..<hits.count where hits[step] { lightest = min(lightest, grid.weight(step)) }
        var fewer = hits
        var isKept = false
        for step in 0..<hits.count where hits[step] && grid.weight(step) == lightest {
            isKept = !isKept
            fewer[step] = isKept
        }
        return fewer
    }

    /// The steps of the finest grid on which something begins.
    private static func places(_ onsets: [Int64], _ grid: Grid) -> [Bool] {
        let ticks = Song.ticksPerBeat / Int64(grid.stepsPerBeat)
        var places = [Bool](repeating: false, count: grid.beats * grid.stepsPerBeat)
        for onset in onsets where onset >= 0 {
            let step = (onset + ticks / 2) / ticks
            guard step < Int64(places.count) else { continue }
            let distance = onset - step * ticks
            if distance.magnitude <= UInt64(Song.ticksPerBeat / 16) { places[Int(step)] = true }
        }
        return places
    }

    /// Hits all of these places that are heavy enough and far enough from what is hit already and from the end.
    private static func take(_ places: [Bool], into hits: inout [Bool], atLeast least: Int, gap: Int64, _ grid: Grid) {
        let ticks = Song.ticksPerBeat / Int64(grid.stepsPerBeat)
        var times: [Int64] = []
        times.reserveCapacity(places.count)
        for step in 0...places.count { times.append(grid.tempo.microseconds(atTick: Int64(step) * ticks)) }
        for weight in [4, 3, 2, 1, 0] where weight >= least {
            for step in 0..<places.count where places[step] && grid.weight(step) == weight {
                let isBeforeEnd = weight == 4 || times[places.count] - times[step] >= gap
                if isBeforeEnd, isFree(step, hits, times, gap) { hits[step] = true }
            }
        }
    }

    private static func isFree(_ step: Int, _ hits: [Bool], _ times: [Int64], _ gap: Int64) -> Bool {
        var before = step
        while before >= 0, times[step] - times[before] < gap {
            if hits[before] { return false }
            before -= 1
        }
        var after = step
        while after < hits.count, times[after] - times[step] < gap {
            if hits[after] { return false }
            after += 1
        }
        return true
    }

    /// The chart with as few steps a beat as hold all hits.
    private static func coarsest(_ hits: [Bool], _ grid: Grid) -> Chart {
        let finest = grid.stepsPerBeat
        var steps = finest
        for fewer in [1, 2] where fewer < finest && finest % fewer == 0 && isEmpty(hits, between: finest / fewer) {
            steps = fewer
            break
        }
        let every = finest / steps
        var kept: [Bool] = []
        var step = 0
        while step < hits.count {
            kept.append(hits[step])
            step += every
        }
        return Song.chart(stepsPerBeat: UInt8(steps), steps: kept, tempo: grid.tempo)
    }

    /// Whether every hit lies on a multiple of a number of steps.
    private static func isEmpty(_ hits: [Bool], between every: Int) -> Bool {
        var step = 0
        while step < hits.count {
            if hits[step], step % every != 0 { return false }
            step += 1
        }
        return true
    }
}
