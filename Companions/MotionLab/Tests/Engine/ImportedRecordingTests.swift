import MotionLabEngine
import TestInstruments
import Testing

@Suite("What apps export, in each of the forms that they offer")
struct ImportedRecordingTests {
    private func imported(_ file: [UInt8], _ name: String = "a.csv", _ app: ExportingApp) throws -> ImportedRecording {
        try ImportedRecording(file, fileName: Array(name.utf8), app: app)
    }

    private func imported(_ text: String, _ name: String = "a.csv", _ app: ExportingApp) throws -> ImportedRecording {
        try imported(Array(text.utf8), name, app)
    }

    // Sensor Logger's archive: a file of each sensor and Metadata.csv, with the columns that version 1.62 writes. Its
    // CROSSPLATFORM.md: an iPhone that lies on its back has -z, Android +z, and so has an iPhone with the setting on.
    private func archive(platform: String, standardisation: String, z: String) throws -> [UInt8] {
        try PythonZip.file([
            (
                "Gravity.csv",
                "time,seconds_elapsed,z,y,x\n1795266000000000000,0,\(z),0,0\n1795266000010000000,0.01,\(z),0,0\n"
            ),
            ("Location.csv", "time,seconds_elapsed,latitude\n1795266000000000000,0,52.5\n"),
            (
                "Annotation.csv",
                "time,seconds_elapsed,text,millisecond_press_duration\n1795266000000000000,0,\"here, now\",5\n"
            ),
            (
                "Metadata.csv",
                "version,device name,recording epoch time,recording time,recording timezone,platform,appVersion,device id,sensors,sampleRateMs,standardisation,platform version\n3,Phone,1795266000000,2026-11-21_14-00-00,Europe/Berlin,\(platform),1.62,abc,Gravity|Location,10|0,\(standardisation),18.1\n"
            ),
        ])
    }

    @Test(
        "Sensor Logger's archive says which phone wrote it, and whether its units were standardised",
        arguments: [
            ("ios", "false", "-9.80665", SensorSource.sensorLoggerIOS),
            ("ios", "true", "9.80665", .sensorLoggerAndroid),
            ("android", "false", "9.80665", .sensorLoggerAndroid), ("android", "true", "9.80665", .sensorLoggerAndroid),
            ("iOS", "", "-9.80665", .sensorLoggerIOS),
        ] as [(String, String, String, SensorSource)])
    func frame(platform: String, standardisation: String, z: String, source: SensorSource) throws {
        let file = try archive(platform: platform, standardisation: standardisation, z: z)
        // Whatever somebody chose.
        for told in [SensorSource.sensorLoggerIOS, .sensorLoggerAndroid] {
            let recording = try imported(file, "walk.zip", .sensorLogger(told))
            #expect(recording.source == source && recording.unread.isEmpty)
            #expect(recording.samples.map(\.kind) == [.gravity])
            #expect(recording.samples[0].values == [[0, 0, 1], [0, 0, 1]])
            #expect(recording.samples[0].times == [1_795_266_000_000_000, 1_795_266_000_010_000])
        }
    }

    @Test("One sensor's file that cannot be read leaves the others in; of two of a kind the calibrated one is taken")
    func others() throws {
        let row = "\n1795266000000000000,0,3,2,1\n"
        let file = try PythonZip.file([
            ("GyroscopeUncalibrated.csv", "time,seconds_elapsed,z,y,x\n1795266000000000000,0,9,9,9\n"),
            ("Gyroscope.csv", "time,seconds_elapsed,z,y,x" + row),
            ("Magnetometer.csv", "time,seconds_elapsed,z,y" + row),
            ("Light.csv", "time,seconds_elapsed,lux\n"),
            ("Barometer.csv", "seconds_elapsed,relativeAltitude,pressure,time\n0,1.5,1013.25,1795266000000000000\n"),
        ])
        let recording = try imported(file, "a.zip", .sensorLogger(.sensorLoggerAndroid))
        #expect(Set(recording.samples.map(\.kind)) == [.gyroscope, .barometer, .altitude])
        #expect(recording.samples.first { $0.kind == .gyroscope }?.values == [[1, 2, 3]])
        #expect(recording.samples.first { $0.kind == .barometer }?.values == [[101.325]])
        #expect(recording.unread == [Array("Magnetometer.csv".utf8)])
    }

    @Test("A workbook of Sensor Logger's has a sheet of each sensor; a single sheet may be called as it likes")
    func workbook() throws {
        let rows = [["time", "seconds_elapsed", "z", "y", "x"], ["1795266000000000000", "0", "0", "0", "9.80665"]]
        let file = try PythonZip.workbook([("TotalAcceleration", rows), ("Gyroscope", rows), ("Activity", [["time"]])])
        let recording = try imported(file, "walk.xlsx", .sensorLogger(.sensorLoggerAndroid))
        #expect(recording.samples.map(\.kind) == [.accelerometer, .gyroscope])
        #expect(recording.samples[0].values == [[1, 0, 0]])
        let saved = try PythonZip.workbook([("Tabelle1", rows)])
        let one = try imported(saved, "Gyroscope (2).xlsx", .sensorLogger(.sensorLoggerIOS))
        #expect(one.samples.map(\.kind) == [.gyroscope])
    }

    // A spreadsheet shows 1795266000000000000 as 1,79527E+18, and saves what it shows: 1.79527e18 ns are 1795270000 s.
    @Test("Times that a spreadsheet has rounded to one are that and the seconds since")
    func rounded() throws {
        let recording = try imported(
            "time;seconds_elapsed;z;y;x\n1,79527E+18;0,00;1;2;3\n1,79527E+18;0,01;1;2;3\n1,79527E+18;0,02;1;2;3\n",
            "Gyroscope.csv", .sensorLogger(.sensorLoggerAndroid))
        #expect(recording.samples[0].times == [0, 10_000, 20_000].map { 1_795_270_000_000_000 + $0 })
        #expect(recording.samples[0].isAbsolute)
    }

    // 1.79527e18 ns and 1.79528e18 ns are 10,000 s apart, and the seconds since say 20 ms.
    @Test(
        "Times that a spreadsheet has rounded are no time, where they cross a step too",
        arguments: [
            ["1,79527E+18", "1,79527E+18", "1,79528E+18"], ["1,79527E+18", "1,79528E+18", "1,79528E+18"],
            ["1,79527E+18", "1,79528E+18", "1,79529E+18"], ["1,79527e18", "", "1,79528e18"],
        ])
    func roundedAcross(times: [String]) throws {
        let rows = zip(times, ["0,00", "0,01", "0,02"]).map { "\($0);\($1);1;2;3\n" }
        let recording = try imported(
            "time;seconds_elapsed;z;y;x\n" + rows.joined(), "Gyroscope.csv", .sensorLogger(.sensorLoggerAndroid))
        #expect(recording.samples[0].times == [0, 10_000, 20_000].map { 1_795_270_000_000_000 + $0 })
        #expect(recording.samples[0].isAbsolute && recording.samples[0].skipped == 0)
    }

    // The shortest form of a number may have an exponent and all its digits, as `%.18e` has them (C, fprintf).
    @Test("Times with an exponent and all their digits are taken as they are")
    func exactExponent() throws {
        let recording = try imported(
            "time,seconds_elapsed,z,y,x\n1.795266E+18,5,1,2,3\n1.795266000010000000e+18,9,1,2,3\n", "Gyroscope.csv",
            .sensorLogger(.sensorLoggerAndroid))
        #expect(recording.samples[0].times == [1_795_266_000_000_000, 1_795_266_000_010_000])
    }

    @Test("Of two columns of times the one that has any is taken, wherever they stand")
    func twoTimes() throws {
        for file in [
            "time,z,y,x,time\n,3,2,1,1795266000000000000\n,3,2,1,1795266000010000000\n",
            "time,z,y,x,time\n1795266000000000000,3,2,1,\n1795266000010000000,3,2,1,\n",
        ] {
            let samples = try imported(file, "Gyroscope.csv", .sensorLogger(.sensorLoggerIOS)).samples[0]
            #expect(samples.times == [1_795_266_000_000_000, 1_795_266_000_010_000] && samples.skipped == 0)
        }
        let toolbox = try imported("time,p,time\n,1000,0.5\n,1010,1\n", "a.csv", .physicsToolbox).samples[0]
        #expect(toolbox.times == [500_000, 1_000_000] && toolbox.values == [[100], [101]])
    }

    // 13:05:10.5 is 47,110.5 s after midnight.
    @Test("Physics Toolbox by the clock on the wall, with the time in any column")
    func clockElsewhere() throws {
        let samples = try imported("p,time\n1013.25,13:05:10.5\n1010,13:05:11:500\n", "a.csv", .physicsToolbox)
            .samples[0]
        #expect(samples.times == [47_110_500_000, 47_111_500_000] && samples.skipped == 0)
        #expect(samples.values == [[101.325], [101]])
    }

    // numpy.savetxt(…, delimiter=",", header="time,wx,wy,wz"), by NumPy's documentation: the header after "# ", numbers as %.18e.
    @Test("Names that stand behind the sign of a remark are names, and those above them are none")
    func remarkedNames() throws {
        let samples = try imported(
            "# by hand, today\n# time,wx,wy,wz\n5.000000000000000000e-01,1.000000000000000000e+00,2.000000000000000000e+00,3.000000000000000000e+00\n1.0e+00,4.0e+00,5.0e+00,6.0e+00\n",
            "a.csv", .physicsToolbox
        ).samples[0]
        #expect(samples.kind == .gyroscope && samples.times == [500_000, 1_000_000])
        #expect(samples.values == [[1, 2, 3], [4, 5, 6]])
        let table = try NumberTable(Array("# measured in 2026, 7 times\ntime,x\n1,2\n".utf8))
        #expect(table.names == [Array("time".utf8), Array("x".utf8)] && table.rowCount == 1)
    }

    // phyphox-android, DataExport.java: a file of each set, meta/device.csv and meta/time.csv, in seconds.
    private let phyphox = [
        (
            "Raw Data.csv",
            "\"Time (s)\";\"Linear Acceleration x (m/s^2)\";\"Linear Acceleration y (m/s^2)\";\"Linear Acceleration z (m/s^2)\";\"Absolute acceleration (m/s^2)\"\n1,000000000E0;9,806650000E0;0,000000000E0;0,000000000E0;9,8E0\n6,000000000E0;0,000000000E0;NaN;0,000000000E0;0E0\n7,500000000E0;0,000000000E0;0,000000000E0;-9,806650000E0;9,8E0\n"
        ),
        ("meta/device.csv", "\"property\";\"value\"\n\"deviceModel\";\"Pixel\"\n"),
        (
            "meta/time.csv",
            "\"event\";\"experiment time\";\"system time\";\"system time text\"\n\"START\";0,000000000E0;1795266000,123;\"2026-11-21 14:00:00.123 UTC+01:00\"\n\"PAUSE\";5,000000000E0;1795266005,123;\"\"\n\"START\";5,000000000E0;1795266065,500;\"\"\n\"PAUSE\";8,0E0;1795266068,500;\"\"\n"
        ),
    ]

    @Test("phyphox's archive says when it was measured, and each pause in it")
    func phyphoxArchive() throws {
        let recording = try imported(try PythonZip.file(phyphox), "Acceleration.zip", .phyphox)
        #expect(recording.samples.map(\.kind) == [.linearAcceleration] && recording.samples[0].isAbsolute)
        #expect(recording.samples[0].values == [[1, 0, 0], [0, 0, -1]] && recording.samples[0].skipped == 1)
        // 1 s after the first beginning; 2.5 s after the second, which was at 5 s of the experiment.
        #expect(recording.samples[0].times == [1_795_266_001_123_000, 1_795_266_068_000_000])
        #expect(recording.unread.isEmpty)
    }

    @Test("phyphox's workbook is the same, and has its numbers as they are")
    func phyphoxWorkbook() throws {
        let file = try PythonZip.workbook([
            ("Raw Data", [["Time (s)", "Pressure (hPa)"], ["0.5", "1013.25"], ["1.0E0", "NaN"], ["1.5", "1012"]]),
            ("Metadata Device", [["property", "value"], ["deviceModel", "Pixel"]]),
            (
                "Metadata Time",
                [
                    ["event", "experiment time", "system time", "system time text"],
                    ["START", "0", "1.795266E9", "2026-11-21"],
                ]
            ),
        ])
        let recording = try imported(file, "Pressure.xlsx", .phyphox)
        #expect(recording.samples.map(\.kind) == [.barometer])
        #expect(recording.samples[0].times == [1_795_266_000_500_000, 1_795_266_001_500_000])
        #expect(recording.samples[0].values == [[101.325], [101.2]])
    }

    @Test(
        "Physics Toolbox: seconds or the clock on the wall, commas, remarks and units, sensors row by row",
        arguments: [
            (
                "time,gFx,gFy,gFz,TgF\n0.01,0,0,1,1\n0.02,0.5,0,0,0.5\n", SensorKind.accelerometer, [10_000, 20_000],
                [[0, 0, 1], [0.5, 0, 0]]
            ),
            ("time;ax;ay;az;aT\n0,01;9,80665;0;0;9,8\n", .linearAcceleration, [10_000], [[1, 0, 0]]),
            (
                "# sensor:linear_accelerometer\n# Inertial correction: sensor=linear; operation=add; unit=m/s^2; x=0.0; y=0.0\ntime,ax (m/s^2),ay (m/s^2),az (m/s^2),aT (m/s^2)\n0.5,0,9.80665,0,9.8\n",
                .linearAcceleration, [500_000], [[0, 1, 0]]
            ),
            (
                "time,wx,wy,wz\n23:59:59:990,1,2,3\n00:00:00:010,4,5,6\n", .gyroscope,
                [86_399_990_000, 86_400_010_000], [[1, 2, 3], [4, 5, 6]]
            ),
            ("time,p\n13:05:10.5,1013.25\n", .barometer, [47_110_500_000], [[101.325]]),
            (
                "time,Bx,By,Bz,I,\n1,1,2,3,,\n2,,,,80,\n3,4,5,6,,\n", .magnetometer, [1_000_000, 3_000_000],
                [[1, 2, 3], [4, 5, 6]]
            ),
        ] as [(String, SensorKind, [Int64], [[Double]])])
    func physicsToolbox(file: String, kind: SensorKind, times: [Int64], values: [[Double]]) throws {
        let recording = try imported(file, "data.csv", .physicsToolbox)
        let samples = try #require(recording.samples.first { $0.kind == kind })
        #expect(samples.times == times && samples.values == values && samples.skipped == 0)
    }

    @Test("A column in another unit is not taken for the lab's")
    func otherUnit() {
        #expect(throws: TableError.noSensor) {
            try imported("time,wx (deg/s),wy (deg/s),wz (deg/s)\n1,2,3,4\n", "a.csv", .physicsToolbox)
        }
    }

    // 1,795,266,000 s is 2026-11-21T13:00:00Z by `date -u -d @1795266000` of GNU coreutils.
    @Test(
        "Times that another program has written in another unit are those times",
        arguments: [
            ("1795266000000", "1795266000010"), ("1795266000.00", "1795266000.01"),
            ("1795266000000000", "1795266000010000"), ("2026-11-21T13:00:00Z", "2026-11-21T14:00:00.010+01:00"),
            ("1795266000000000000", "1795266000010000000"),
        ])
    func timeUnits(first: String, second: String) throws {
        let table = "time,seconds_elapsed,z,y,x\n\(first),0,3,2,1\n\(second),0.01,3,2,1\n"
        let samples = try imported(table, "Gyroscope.csv", .sensorLogger(.sensorLoggerAndroid)).samples[0]
        #expect(samples.times == [1_795_266_000_000_000, 1_795_266_000_010_000] && samples.skipped == 0)
    }

    // As Windows in German and English, macOS, Android's file manager and a mail program call a second one.
    @Test(
        "A copy of a file is of the same sensor, whatever a system calls it",
        arguments: [
            "Gyroscope - Kopie.csv", "Gyroscope - Copy (2).csv", "Gyroscope 2.csv", "Gyroscope copy.csv",
            "Gyroscope(1).csv", "gyroscope_1.csv", "Gyroscope.csv.txt", "C:\\Daten\\Gyroscope.CSV",
        ])
    func copies(name: String) throws {
        let table = "time,seconds_elapsed,z,y,x\n1795266000000000000,0,3,2,1\n"
        let recording = try imported(table, name, .sensorLogger(.sensorLoggerAndroid))
        #expect(recording.samples.map(\.kind) == [.gyroscope] && recording.samples[0].values == [[1, 2, 3]])
    }

    @Test(
        "Units are known in each of their spellings",
        arguments: [
            ("Magnetic field", "µT", SensorKind.magnetometer), ("Magnetic field", "\u{3BC}T", .magnetometer),
            ("Magnetic field", "uT", .magnetometer), ("Acceleration", "m/s²", .accelerometer),
            ("Acceleration", "m/s2", .accelerometer), ("Linear Acceleration", "m/s/s", .linearAcceleration),
        ])
    func units(name: String, unit: String, kind: SensorKind) throws {
        let columns = ["x", "y", "z"].map { "\"\(name) \($0) (\(unit))\"" }.joined(separator: ",")
        let recording = try imported("\"Time (s)\",\(columns)\n0,1,2,3\n0.5,1,2,3\n", "Raw Data.csv", .phyphox)
        #expect(recording.samples.map(\.kind) == [kind] && recording.samples[0].times == [0, 500_000])
    }

    @Test("Columns that are there twice, without names or unknown cost nothing; of two the one with numbers is taken")
    func columns() throws {
        let recording = try imported(
            "Time (s),Pressure (hPa),note,Time (s),,\n,1000,\"two\nlines\",0.5,,\n,1010,x,1.5,,\n", "a.csv", .phyphox)
        #expect(recording.samples[0].times == [500_000, 1_500_000] && recording.samples[0].values == [[100], [101]])
        let capital = try imported(
            "TIME;Z;Y;X;z\n1795266000000000000;3;2;1;9\n", "gyroscope.CSV", .sensorLogger(.sensorLoggerIOS))
        #expect(capital.samples[0].values == [[1, 2, 3]])
    }

    @Test("What is no such file says why")
    func refused() throws {
        let photo = try PythonZip.file([("photo.jpg", "x")])
        let old: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0]
        #expect(throws: TableError.packed) { try imported(photo, "a.zip", .phyphox) }
        #expect(throws: TableError.oldWorkbook) { try imported(old, "a.xls", .phyphox) }
        #expect(throws: TableError.noSensor) {
            try imported("time,x\n1,2\n", "Kettle.csv", .sensorLogger(.sensorLoggerIOS))
        }
        let notes = try PythonZip.file([("notes.csv", "a,b\n1,2\n")])
        #expect(throws: TableError.noTime) { try imported(notes, "a.zip", .phyphox) }
    }
}
