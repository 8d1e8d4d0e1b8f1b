import MotionLabEngine
import WasmBridge

// How this device's clock stands to the hub's.

// Safe: WebAssembly has one thread here, and JavaScript makes one call at a time.
nonisolated(unsafe) var alignment = ClockAlignment()

/// Adds one exchange, all times in microseconds: asked and returned by this device's clock, received and answered by
/// the hub's.
@_expose(wasm, "clockExchange")
@_cdecl("lab_clock_exchange")
public func clockExchange(_ asked: Double, _ received: Double, _ answered: Double, _ returned: Double) {
    let most = 9_007_199_254_740_992.0
    for time in [asked, received, answered, returned] where !(time.magnitude < most) { return }
    alignment.add(
        .init(asked: Int64(asked), received: Int64(received), answered: Int64(answered), returned: Int64(returned)))
}

/// The offset that is added to this device's time for the hub's, milliseconds; NaN before the first exchange.
@_expose(wasm, "clockOffset")
@_cdecl("lab_clock_offset")
public func clockOffset() -> Double { alignment.offset.map { Double($0.microseconds) / 1_000 } ?? .nan }
