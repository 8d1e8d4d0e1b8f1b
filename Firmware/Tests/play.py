#!/usr/bin/env python3
"""Runs an image in QEMU with its parts played, until it is stopped.

    play.py plant-sensor|toy|drums

The board's serial line is a terminal of this machine, whose name is printed: `tandem provision --port` sets up what is behind it.
Its network is this machine's, by the name House with the password `sesame open`. A line on the keyboard does something:
`throw`, `press`, `cue 2`, `strike 2`, `wait SECONDS` (the board's clock is put forward), `dry` and `wet`.
"""

import os
import pathlib
import sys
import tempfile
import threading
import tty

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from board import Board
from i2c_parts import MPU6050, Bridge, Seesaw
from serial_parts import EMIC2, ESP8266

IMAGES = {"plant-sensor": "PlantSensor", "toy": "Toy", "drums": "Drums"}


class Voice(EMIC2):
    """It speaks on the screen, for as long as a text takes."""

    def obey(self, line):
        before = len(self.spoken)
        super().obey(line)
        if len(self.spoken) > before:
            print("The toy says:", self.spoken[-1], flush=True)
            threading.Timer(1 + len(self.spoken[-1]) / 15, self.fall_silent).start()


def terminal(line):
    near, far = os.openpty()
    tty.setraw(far)
    line.listener = lambda piece: os.write(near, piece)

    def relay():
        while True:
            line.send(os.read(near, 256))

    threading.Thread(target=relay, daemon=True).start()
    return os.ttyname(far)


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in IMAGES:
        print("\n".join(__doc__.splitlines()[2:3]).strip(), file=sys.stderr)
        return 64
    image = IMAGES[sys.argv[1]]
    state = pathlib.Path(tempfile.gettempdir(), f"tandem-{sys.argv[1]}.flash")
    probe, accelerometer = Seesaw(), MPU6050()
    with Board(image, state) as board:
        Bridge(board.bridge, {0x36: probe, 0x68: accelerometer})
        if image == "Drums":
            board.radio.listener = lambda piece: print("The kit answers:", piece, flush=True)
            for pad in range(4):
                board.bench.set(pad, False)
        else:
            ESP8266(board.radio)
        Voice(board.speech)
        board.bench.on_drive = lambda pin, level: print(f"Pin {pin} is {'high' if level else 'low'}.", flush=True)
        print(f"Its serial line: {terminal(board.console)}\nIts flash memory: {state}", flush=True)
        for line in sys.stdin:
            word, _, rest = line.strip().partition(" ")
            if word == "throw":
                accelerometer.throw()
            elif word == "press":
                board.bench.set(2, False)
                threading.Timer(0.2, board.bench.set, (2, True)).start()
            elif word == "cue":
                board.radio.send(rest.encode())
            elif word == "strike":
                board.bench.set(int(rest), True)
                threading.Timer(0.05, board.bench.set, (int(rest), False)).start()
            elif word == "wait":
                board.bench.put_forward(int(float(rest) * 1000))
            elif word in ("dry", "wet"):
                probe.capacitance = {"dry": 350, "wet": 900}[word]
            else:
                print("throw, press, cue DRUM, strike DRUM, wait SECONDS, dry, wet", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
