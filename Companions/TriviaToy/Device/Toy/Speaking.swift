import DeviceHAL
import TriviaToyEngine
import Wire

/// Reads a fact, from the memory or from the image, in pieces that the speech module takes.
struct FactReader: Sendable {
    private var next = 0
    private var end = 0
    private var pieceEnd = 0
    private var letters = SpeechLetters()
    private var buffer = InlineArray<16, UInt8>(repeating: 0)
    private var bufferStart = -1
    /// The fact of the image that is read; nil for one in the memory.
    private var starter: Int?

    var isAtEnd: Bool { next >= end }
    var isAtEndOfPiece: Bool { next >= pieceEnd }

    mutating func begin(_ text: Range<Int>, starter: Int? = nil) {
        self = FactReader()
        next = text.lowerBound
        end = text.upperBound
        self.starter = starter
    }

    /// Finds the end of the next piece.
    mutating func beginPiece(_ memory: inout some FlashMemory) throws(FlashError) {
        var cutter = SentenceCutter()
        var place = next
        pieceEnd = end
        while place < end {
            if let count = cutter.take(try byte(place, &memory)) {
                pieceEnd = next + max(count, 1)
                return
            }
            place += 1
        }
    }

    /// The next letter of the piece; nil at its end.
    mutating func letter(_ memory: inout some FlashMemory) throws(FlashError) -> UInt8? {
        while next < pieceEnd {
            let byte = try byte(next, &memory)
            next += 1
            if let letter = letters.take(byte) { return letter }
        }
        return nil
    }

    private mutating func byte(_ place: Int, _ memory: inout some FlashMemory) throws(FlashError) -> UInt8 {
        if let starter { return StarterFacts.fact(starter).text.utf8Start[place] }
        if bufferStart < 0 || place < bufferStart || place >= bufferStart + 16 {
            // Aligned, so that a read does not go past the memory's end.
            bufferStart = place & ~15
            try memory.read(into: &buffer, at: bufferStart)
        }
        return buffer[place - bufferStart]
    }
}

extension TriviaToy {
    /// Finds the fact that comes next: the first that was never spoken, else the one after the last, round and round. While
    /// there are none it is one of the image.
    mutating func prepare() {
        do throws(FlashError) {
            let heard = journal.state.heard
            prepared = try facts.next(above: heard, hint: current, &board.memory)
            if prepared == nil {
                prepared = try facts.next(above: journal.state.lastNumber, hint: current, &board.memory)
            }
            if prepared == nil { prepared = try facts.next(above: 0, hint: nil, &board.memory) }
        } catch {
            prepared = nil
            faults.insert(.store)
        }
        if prepared == nil { prepared = FactStore.Stored(starter: journal.state.starter) }
        applyVoice()
    }

    /// Sets the speech module to the house's rules and to the next fact's language.
    mutating func applyVoice() {
        speech.settings.volume = min(volume, journal.rules.volumeCap)
        speech.settings.voice = journal.rules.voice
        speech.settings.wordsPerMinute = journal.rules.wordsPerMinute
        if !isReading, let prepared { speech.settings.language = prepared.language }
    }

    mutating func speak(_ cause: PlayCause) {
        guard let fact = prepared else { return machine.nothingToSpeak() }
        current = fact
        reader.begin(fact.text, starter: fact.starter)
        isReading = true
        let isReadable = findPiece()
        if isReadable {
            beginWaitingPiece(board.milliseconds)
            read()
        }
        do throws(FlashError) {
            try journal.begin(
                fact: fact.id, number: fact.number, cause: cause, time: clock.time, day: clock.day, &board.memory)
        } catch {
            faults.insert(.store)
        }
        if !isReadable { act(.speech(.lost)) }
    }

    /// Finds the end of the next piece, which ``beginWaitingPiece(_:)`` gives to the speech module.
    /// - Returns: whether the memory could be read.
    private mutating func findPiece() -> Bool {
        do throws(FlashError) {
            try reader.beginPiece(&board.memory)
            isPieceWaiting = true
            return true
        } catch {
            faults.insert(.store)
            isReading = false
            return false
        }
    }

    /// Begins the piece that waits, as soon as the speech module is ready.
    mutating func beginWaitingPiece(_ now: UInt32) {
        guard isPieceWaiting, isReading else { return isPieceWaiting = false }
        guard speech.isReady else { return }
        isPieceWaiting = false
        speech.beginText(&board.speech, at: now)
    }

    /// Gives the speech module as many letters as its line takes.
    mutating func read() {
        guard isReading else { return }
        do throws(FlashError) {
            while speech.canTake(board.speech) {
                guard let letter = try reader.letter(&board.memory) else {
                    speech.endText(at: board.milliseconds)
                    break
                }
                speech.put(letter, &board.speech)
            }
        } catch {
            faults.insert(.store)
            speech.endText(at: board.milliseconds)
            reader.begin(0..<0)
        }
    }

    mutating func heard(_ event: EMIC2.Event) {
        switch event {
        case .lost: faults.insert(.speech)
        case .found: faults.remove(.speech)
        default: break
        }
        if event == .finished, isReading, !reader.isAtEnd, machine.voice == .speaking {
            if !findPiece() { act(.speech(.lost)) }
            return
        }
        isReading = false
        act(.speech(event))
    }

    mutating func end(_ ending: PlayEnding) {
        isReading = false
        do throws(FlashError) {
            try journal.end(ending, &board.memory)
        } catch {
            faults.insert(.store)
        }
        prepare()
        original.hasAllFacts = false
        duties.statusIsDue = duties.statusIsDue || facts.count(above: journal.state.heard) < LinkDuties.fewFacts
    }

    mutating func give(_ vote: FactVote) {
        guard let current else { return }
        do throws(FlashError) {
            try journal.vote(vote, fact: current.id, time: clock.time, &board.memory)
        } catch {
            faults.insert(.store)
        }
    }
}
