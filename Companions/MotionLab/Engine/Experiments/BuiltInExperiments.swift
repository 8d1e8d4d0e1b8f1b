extension Experiment {
    /// The five that the lab comes with, as files: a page shows them, and somebody who writes one begins with a copy.
    public static let builtInFiles: [StaticString] = [
        """
        {"tandemExperiment": 1, "slug": "pendulum", "title": "Pendulum", "seconds": 30, "analysis": "pendulum",
         "sensors": [{"sensor": "gyroscope", "hertz": 100}],
         "parameters": [{"name": "length", "unit": "m", "value": 0.5, "least": 0.05, "most": 20}],
         "formulas": [
          {"name": "turning", "unit": "rad/s",
           "formula": "sqrt(gyroscope.x*gyroscope.x + gyroscope.y*gyroscope.y + gyroscope.z*gyroscope.z)"},
          {"name": "expected", "unit": "s", "formula": "2 * 3.14159265358979 * sqrt(length / 9.80665)"}],
         "plots": [
          {"title": "Rate of turning", "x": "time", "y": ["gyroscope.x", "gyroscope.y", "gyroscope.z"]},
          {"title": "Without direction", "x": "time", "y": ["turning"]}]}
        """,
        """
        {"tandemExperiment": 1, "slug": "free-fall", "title": "Free fall", "seconds": 20, "analysis": "freeFall",
         "sensors": [{"sensor": "accelerometer"}],
         "formulas": [{"name": "felt", "unit": "g",
           "formula": "sqrt(accelerometer.x*accelerometer.x + accelerometer.y*accelerometer.y \
        + accelerometer.z*accelerometer.z)"}],
         "plots": [{"title": "What the phone feels: 1 g at rest, 0 g in free fall", "x": "time", "y": ["felt"]}]}
        """,
        """
        {"tandemExperiment": 1, "slug": "lift", "title": "Lift ride", "seconds": 180, "analysis": "lift",
         "sensors": [{"sensor": "barometer"}, {"sensor": "accelerometer", "hertz": 50}],
         "parameters": [
          {"name": "celsius", "unit": "°C", "value": 15, "least": -40, "most": 50},
          {"name": "startPressure", "unit": "kPa", "value": 101.325, "least": 50, "most": 110}],
         "formulas": [
          {"name": "height", "unit": "m",
           "formula": "29.27124655 * (celsius + 273.15) * (startPressure - barometer.pressure) \
        / (startPressure + barometer.pressure) * 2"},
          {"name": "felt", "unit": "g",
           "formula": "sqrt(accelerometer.x*accelerometer.x + accelerometer.y*accelerometer.y \
        + accelerometer.z*accelerometer.z)"}],
         "plots": [
          {"title": "Height", "x": "time", "y": ["height"]},
          {"title": "What you feel", "x": "time", "y": ["felt"]},
          {"title": "Pressure", "x": "time", "y": ["barometer.pressure"]}]}
        """,
        """
        {"tandemExperiment": 1, "slug": "spin", "title": "Centripetal spin", "seconds": 30, "analysis": "spin",
         "sensors": [{"sensor": "gyroscope", "hertz": 100}, {"sensor": "linearAcceleration", "hertz": 100}],
         "formulas": [
          {"name": "squaredRate", "unit": "rad²/s²",
           "formula": "gyroscope.x*gyroscope.x + gyroscope.y*gyroscope.y + gyroscope.z*gyroscope.z"},
          {"name": "inwards", "unit": "m/s²",
           "formula": "9.80665 * sqrt(linearAcceleration.x*linearAcceleration.x \
        + linearAcceleration.y*linearAcceleration.y + linearAcceleration.z*linearAcceleration.z)"},
          {"name": "radius", "unit": "m", "formula": "inwards / squaredRate"}],
         "plots": [
          {"title": "Acceleration over the square of the rate", "x": "squaredRate", "y": ["inwards"]},
          {"title": "Rate of turning, squared", "x": "time", "y": ["squaredRate"]}]}
        """,
        """
        {"tandemExperiment": 1, "slug": "room-sound", "title": "Sound of a room", "seconds": 60, "analysis": "sound",
         "sensors": [{"sensor": "sound"}],
         "plots": [{"title": "Level", "x": "time", "y": ["sound.level"]}]}
        """,
    ]

    /// The five, read.
    public static var builtIn: [Experiment] {
        var experiments: [Experiment] = []
        for file in builtInFiles {
            // Each is read by a test.
            if let experiment = try? Experiment(letters(of: file)) { experiments.append(experiment) }
        }
        return experiments
    }
}
