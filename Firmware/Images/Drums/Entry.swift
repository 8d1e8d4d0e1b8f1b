import Board
import DrumsDevice

/// The image's own code, which the start-up calls.
@c(firmware_main)
func firmwareMain() {
    Board.begin()
    var kit = DrumKit(
        pads: [InputPin(0), InputPin(1), InputPin(2), InputPin(3)],
        lights: [OutputPin(0), OutputPin(1), OutputPin(2), OutputPin(3)], board: KitHardware())
    kit.begin()
    while true {
        Board.turn()
        kit.poll()
        Board.sleep(milliseconds: 1)
    }
}

/// SwiftPM links an executable by its `main`, which nothing calls: the linker takes it out again.
@main
enum Entry {
    static func main() { firmwareMain() }
}
