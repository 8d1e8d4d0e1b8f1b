"""The family's own recording, as tests bring one to Drums."""

import io
import math
import struct
import wave


def recording(seconds=20):
    """A tone, as a file of WAV."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        samples = (round(9000 * math.sin(i / 8000 * 440 * math.tau)) for i in range(8000 * seconds))
        sound.writeframes(b"".join(struct.pack("<h", one) for one in samples))
    return file.getvalue()


def add_recording(hub):
    """Adds one whose first bar is 0.75 s into the file, half a second a beat; returns the song."""
    _, song, _ = hub.request("POST", "/api/drums/songs/audio?name=ours.wav", recording(), {"Content-Type": "audio/wav"})
    timing = {"title": "Ours", "microsecondsPerBeat": 500_000, "offsetMilliseconds": 750, "milliseconds": 20_000}
    return hub.request("PUT", f"/api/drums/songs/{song['id']}", timing)[1]
