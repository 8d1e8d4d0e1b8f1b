import Localization

extension HouseholdText {
    /// A plant's name in a sentence: `the fern`, but `Gerda` and `Basil 2`. Only English puts an article before it.
    static func name(_ name: String) -> LocalizedText {
        commonNames[name.lowercased()] ?? LocalizedText(verbatim: name)
    }

    /// The names of plants that have no name of their own.
    private static let commonNames: [String: LocalizedText] = [
        "fern": LocalizedText("the fern"), "basil": LocalizedText("the basil"),
        "monstera": LocalizedText("the monstera"), "chilli": LocalizedText("the chilli"),
        "chili": LocalizedText("the chili"), "lemon": LocalizedText("the lemon"),
        "lemon tree": LocalizedText("the lemon tree"), "olive tree": LocalizedText("the olive tree"),
        "fig tree": LocalizedText("the fig tree"), "orange tree": LocalizedText("the orange tree"),
        "orchid": LocalizedText("the orchid"), "cactus": LocalizedText("the cactus"), "aloe": LocalizedText("the aloe"),
        "ivy": LocalizedText("the ivy"), "palm": LocalizedText("the palm"), "mint": LocalizedText("the mint"),
        "rosemary": LocalizedText("the rosemary"), "thyme": LocalizedText("the thyme"),
        "parsley": LocalizedText("the parsley"), "chives": LocalizedText("the chives"),
        "tomato": LocalizedText("the tomato"), "strawberry": LocalizedText("the strawberry"),
        "spider plant": LocalizedText("the spider plant"), "peace lily": LocalizedText("the peace lily"),
        "rubber plant": LocalizedText("the rubber plant"), "snake plant": LocalizedText("the snake plant"),
        "money plant": LocalizedText("the money plant"),
    ]
}
