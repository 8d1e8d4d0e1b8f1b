import DeviceParts
import TriviaToyEngine

/// An event that the toy's state machine handles.
public enum ToyEvent: Equatable, Sendable {
    case switchedOn
    /// The toy was thrown or shaken, or the middle button was pressed; `silence` is the reason why it may not speak
    /// now.
    case played(PlayCause, silence: HouseRules.Silence?)
    case press(ToyButton, Button.Press)
    /// The speech module is ready for a text.
    case speechReady
    case speech(EMIC2.Event)
    case radio(ESP8266.Event)
    case hub(MQTTLink.Event)
    /// The network or the hub was changed.
    case provisioned
    /// The set-up by the original's socket is over, and nothing was changed.
    case setUpClosed
    /// A request to the original's server is due.
    case wantsToAsk
    /// The original's server answered: with what was asked for, or with a refusal.
    case answered(isRefused: Bool)
    /// A millisecond has passed.
    case turn
}

/// The three buttons.
public enum ToyButton: UInt8, Sendable {
    /// The upper button. Short: louder. Long: the fact was good.
    case up
    /// The lower button. Short: softer. Long: the fact was not good.
    case down
    /// The middle button. Short: speaks, or stops. Very long: set-up.
    case middle
}

/// An action that the toy takes after an event.
public enum ToyAction: Equatable, Sendable {
    /// Gives the next fact to the speech module.
    case speak(PlayCause)
    case stopSpeaking
    /// The fact ended.
    case end(PlayEnding)
    case vote(FactVote)
    /// Changes the volume by decibels.
    case changeVolume(Int8)
    case command(ESP8266.Command)
    /// Sends CONNECT, then SUBSCRIBE, on an open connection.
    case sendConnect, sendSubscribe
    /// Sends the request to the original's server on an open connection.
    case sendRequest
    /// Reads the answer of the original's server, which has closed the connection.
    case takeAnswer
    /// Opens the toy's own network, for the set-up by the original's socket.
    case openSetUp
    /// Leaves the set-up by the original's socket.
    case closeSetUp
    /// Begins to send reports and status.
    case goOnline
    /// Stops to wait for acknowledgements: none will come.
    case goOffline
    /// Reports to the person who sets it up why the network was not joined.
    case reportSetUp(ESP8266.Failure?)
}

/// The actions after an event, in order.
public struct ToyActions: Sendable {
    private var actions = InlineArray<4, ToyAction>(repeating: .stopSpeaking)
    /// The number of actions.
    public private(set) var count = 0

    /// The action at an index.
    public subscript(index: Int) -> ToyAction { actions[index] }

    mutating func add(_ action: ToyAction) {
        guard count < 4 else { return }
        actions[count] = action
        count += 1
    }
}
