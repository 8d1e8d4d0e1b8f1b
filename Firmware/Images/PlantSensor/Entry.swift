import Board

/// The image's own code, which the start-up calls.
@c(firmware_main)
func firmwareMain() {
    Board.begin()
    var sensor = PlantSensor()
    sensor.begin()
    while true {
        Board.turn()
        let idle = sensor.poll()
        Board.sleep(milliseconds: idle)
    }
}

/// SwiftPM links an executable by its `main`, which nothing calls: the linker takes it out again.
@main
enum Entry {
    static func main() { firmwareMain() }
}
