import TriviaToyEngine
import Wire

extension FuzzTarget {
    static var triviaToy: [FuzzTarget] {
        [
            FuzzTarget("toy-message", seeds: toyMessages) { bytes throws(BrokenProperty) in try checkToyMessages(bytes)
            },
            FuzzTarget(
                "toy-original",
                dictionary: [
                    "username", "email", "password", "userVote", "userId", "triviaId", "funFactID", "-1", "2147483648",
                ],
                seeds: [
                    #"{"username":"Ann","email":"a@example.org","password":"sesame open"}"#,
                    #"{"userVote":-1,"userId":"7","triviaID":9}"#, "7:House:a:b\r\n",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkOriginal(bytes) },
            FuzzTarget(
                "open-trivia",
                dictionary: ["response_code", "results", "&quot;", "%20", "correct_answer", "incorrect_answers", "=="],
                seeds: [
                    #"{"response_code":0,"results":[{"type":"boolean","difficulty":"easy","category":"Art","question":"A &amp; B?","correct_answer":"True","incorrect_answers":["False"]}]}"#
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in
                for encoding in OpenTriviaResponse.Encoding.allCases {
                    _ = try? OpenTriviaResponse(bytes.span, encoding: encoding)
                }
            },
            FuzzTarget("improv", longestInput: 1_024, dictionary: ["IMPROV\\x01"], seeds: improvPackets) {
                bytes throws(BrokenProperty) in try checkImprov(bytes)
            },
            FuzzTarget(
                "wave", dictionary: ["RIFF", "WAVE", "fmt ", "data", "LIST", "\\xfe\\xff"], seeds: [waveFile]
            ) { bytes throws(BrokenProperty) in try checkWave(bytes) },
        ]
    }

    private static var toyMessages: [[UInt8]] {
        var (fact, rules, play, vote, status, said): ([UInt8], [UInt8], [UInt8], [UInt8], [UInt8], [UInt8]) =
            ([], [], [], [], [], [])
        try? FactMessage(id: 7).encode(text: Array("A fact.".utf8).span, into: &fact)
        RulesMessage(now: 1_795_428_000, utcOffset: 60, rules: HouseRules()).encode(into: &rules)
        PlayReport(sequence: 1, fact: 7, time: 0, cause: .thrown, ending: .finished).encode(into: &play)
        VoteReport(sequence: 2, fact: 7, time: 0, vote: .up).encode(into: &vote)
        StatusReport().encode(into: &status)
        try? SpokenReport(fact: 7, voice: 0, volume: 0, wordsPerMinute: 150, language: .english, piece: 0)
            .encode(text: Array("A fact.".utf8).span, into: &said)
        return [fact, rules, play, vote, status, said]
    }

    private static var improvPackets: [[UInt8]] {
        var (hub, network, packets): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        HubCommand.encode(
            host: Array("linden.local".utf8).span, port: 1_883, device: Array("k7fq2m9x".utf8).span,
            token: Array("secret".utf8).span, into: &hub)
        ImprovCommand.encodeWifiSettings(
            ssid: Array("House".utf8).span, password: Array("sesame open".utf8).span, into: &network)
        for data in [hub, network] { ImprovPacket.encode(.command, data: data.span, into: &packets) }
        return [packets, hub, network]
    }

    private static var waveFile: [UInt8] {
        var bytes: [UInt8] = []
        Sound(rate: 16_000, samples: [1, -1, 2, -2]).encodeWave(into: &bytes)
        return bytes
    }
}

/// Whatever is read as a message is written as the same bytes.
private func checkToyMessages(_ bytes: [UInt8]) throws(BrokenProperty) {
    var written: [UInt8] = []
    if let play = try? PlayReport(decoding: bytes.span) {
        play.encode(into: &written)
        try require(written == bytes, "a play is written as it was read")
    }
    written = []
    if let vote = try? VoteReport(decoding: bytes.span) {
        vote.encode(into: &written)
        try require(written == bytes, "a vote is written as it was read")
    }
    written = []
    if let said = try? SpokenReport(decoding: bytes.span) {
        try? said.encode(text: bytes.span.extracting(said.text), into: &written)
        try require(written == bytes, "what was said is written as it was read")
    }
    if let fact = try? FactMessage(decoding: bytes.span) {
        try require(fact.text.upperBound == bytes.count, "a fact's text ends with its message")
    }
    _ = try? RulesMessage(decoding: bytes.span)
    _ = try? StatusReport(decoding: bytes.span)
}

/// Bodies of the original's requests, and its set-up message.
private func checkOriginal(_ bytes: [UInt8]) throws(BrokenProperty) {
    for isNeeded in [false, true] {
        if let read = try? LegacyBody.Credentials(bytes.span, needsUsername: isNeeded) {
            try require(
                max(read.username.count, read.email.count, read.password.count) <= LegacyBody.longestField,
                "no field is longer than it may be")
        }
    }
    if let vote = try? LegacyBody.Vote(bytes.span) {
        try require(
            vote.vote != .none && (1...UInt32(Int32.max)).contains(vote.user), "a vote is of a user that can be")
    }
    if let message = try? ProvisioningMessage(decoding: bytes.span) {
        var written: [UInt8] = []
        let (ssid, password) = (bytes.span.extracting(message.ssid), bytes.span.extracting(message.password))
        guard
            (try? ProvisioningMessage.encode(user: message.user, ssid: ssid, password: password, into: &written)) != nil
        else { return }
        let again = try? ProvisioningMessage(decoding: written.span)
        try require(
            again.map { Array(written[$0.ssid]) == Array(bytes[message.ssid]) } == true,
            "a network's name is written as it was read")
    }
}

/// What comes over a serial line, and the commands in it.
private func checkImprov(_ bytes: [UInt8]) throws(BrokenProperty) {
    var reader = ImprovReader()
    reader.append(bytes.span)
    while let message = reader.next() {
        try require(message.data.count <= 255, "a packet holds at most 255 bytes")
        checkCommand(message.data)
    }
    checkCommand(bytes)
}

private func checkCommand(_ data: [UInt8]) {
    _ = ImprovCommand.decoding(data.span)
    _ = HubCommand(decoding: data.span)
}

/// A sound that was read is written as a file that is the same sound.
private func checkWave(_ bytes: [UInt8]) throws(BrokenProperty) {
    guard let sound = try? Sound(wave: bytes.span, longest: 30_000) else { return }
    try require(sound.milliseconds <= 30_001, "it lasts no longer than it may")
    var written: [UInt8] = []
    sound.encodeWave(into: &written)
    guard sound.rate >= 8_000 else { return }
    try require((try? Sound(wave: written.span, longest: 30_001)) == sound, "it is written as it was read")
}
