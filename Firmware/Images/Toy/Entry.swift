import Board
import TriviaToyDevice

/// The image's own code, which the start-up calls.
@c(firmware_main)
func firmwareMain() {
    Board.begin()
    var toy = TriviaToy(board: ToyHardware())
    toy.begin()
    while true {
        Board.turn()
        toy.poll()
        Board.sleep(milliseconds: 1)
    }
}

/// SwiftPM links an executable by its `main`, which nothing calls: the linker takes it out again.
@main
enum Entry {
    static func main() { firmwareMain() }
}
