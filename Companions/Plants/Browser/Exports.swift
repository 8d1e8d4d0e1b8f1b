import PlantsEngine
import WasmBridge

// What the page can ask of the engine without the hub.

/// 0 when the buffer holds a name that a plant can have, else the number of the ``PlantRules/Failure``.
@_expose(wasm, "checkName")
@_cdecl("plants_check_name")
public func checkName(_ count: Int32) -> Int32 {
    do throws(PlantRules.Failure) {
        try PlantRules.check(name: bytes(count).span)
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// 0 when the buffer holds a place that a plant can have, else the number of the fault.
@_expose(wasm, "checkPlace")
@_cdecl("plants_check_place")
public func checkPlace(_ count: Int32) -> Int32 {
    do throws(PlantRules.Failure) {
        try PlantRules.check(place: bytes(count).span)
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}

/// 0 when these limits, percent, are sensible, else the number of the fault.
@_expose(wasm, "checkLimits")
@_cdecl("plants_check_limits")
public func checkLimits(_ low: Double, _ high: Double) -> Int32 {
    do throws(PlantRules.Failure) {
        try PlantRules.check(low: low, high: high)
        return 0
    } catch {
        return Int32(error.rawValue)
    }
}
