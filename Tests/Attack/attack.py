"""make attack: plays every probe of Tests/Attack/areas against the hub, and prints a line for each.

attack.py [--list] [WORD...]    with words, only the probes of these areas, or whose name has one of them

TANDEM_BINARY names the executable. Exit code 1 if any promise did not hold.
"""

import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd")]

import ground  # noqa: E402
import probes  # noqa: E402

WORDS = {True: "held", False: "NOT HELD", None: "not played"}


def main(arguments):
    probes.load()
    words = [word.lower() for word in arguments if not word.startswith("-")]
    chosen = [
        probe for probe in probes.probes
        if not words or any(word == probe.area if word in probes.AREAS else word in probe.name.lower() for word in words)
    ]  # fmt: skip
    if "--list" in arguments:
        for probe in chosen:
            print(f"{probe.area:16} {probe.name}\n{'':16} {probe.promise}")
        return 0
    if not chosen:
        print(f"No probe is called like that: {' '.join(words)}")
        return 64
    begun, results = time.monotonic(), []
    with ground.Ground() as place:
        print(f"{ground.TANDEM}, {place.description}\n")
        for probe in chosen:
            held, seen, seconds = probes.play(probe, place)
            results.append(held)
            print(f"{WORDS[held]:10}  {probe.area:15}  {probe.name}: {seen} [{seconds:.1f} s]", flush=True)
            if held is False:
                print(f"{'':10}  {'':15}  promised: {probe.promise}", flush=True)
    broken, unplayed = results.count(False), results.count(None)
    print(
        f"\n{results.count(True)} of {len(results)} held, {broken} did not, {unplayed} could not be played here,"
        f" in {time.monotonic() - begun:.0f} s"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
