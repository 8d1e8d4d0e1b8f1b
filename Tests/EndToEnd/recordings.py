"""The family's own recording, as tests bring one to Drums."""

import io
import math
import struct
import wave


RATE = 8000  # samples a second


def wav(samples):
    """A file of WAV with one channel, of samples of 16 bits."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(b"".join(struct.pack("<h", one) for one in samples))
    return file.getvalue()


def recording(seconds=20):
    """A tone."""
    return wav(round(9000 * math.sin(i / RATE * 440 * math.tau)) for i in range(RATE * seconds))


def add_recording(hub):
    """Adds one whose first bar is 0.75 s into the file, half a second a beat; returns the song."""
    _, song, _ = hub.request("POST", "/api/drums/songs/audio?name=ours.wav", recording(), {"Content-Type": "audio/wav"})
    timing = {"title": "Ours", "microsecondsPerBeat": 500_000, "offsetMilliseconds": 750, "milliseconds": 20_000}
    return hub.request("PUT", f"/api/drums/songs/{song['id']}", timing)[1]
