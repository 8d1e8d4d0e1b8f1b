/// The facts that are part of the firmware's image, so that a toy which has met no hub yet speaks: two of each category of the
/// pack, in English, which its speech module speaks, and for children of five.
///
/// The hub knows each by its key in the pack.
public enum StarterFacts {
    /// A fact of the image.
    public struct Fact: Sendable {
        /// The fact's name in the pack.
        public var key: StaticString
        /// The text, in ASCII.
        public var text: StaticString

        init(_ key: StaticString, _ text: StaticString) {
            self.key = key
            self.text = text
        }
    }

    /// The number of facts.
    public static var count: Int { 32 }
    /// The identifier of the first, in a toy's reports; the others follow. A hub's own are smaller.
    public static var firstID: UInt32 { 0xFFFF_0000 }

    /// The index of the fact with an identifier; nil for an identifier of the hub's.
    public static func index(of id: UInt32) -> Int? {
        guard id >= firstID, Int(id - firstID) < count else { return nil }
        return Int(id - firstID)
    }

    /// The fact at an index below ``count``.
    public static func fact(_ index: Int) -> Fact {
        switch index {
        case 0:
            Fact(
                "animals-bat-flight",
                "Bats are the only mammals that can truly fly. Flying squirrels just glide from tree to tree."
            )
        case 1:
            Fact(
                "body-baby-bones",
                "A baby has more bones than a grown-up. As children grow, some of the small bones join together."
            )
        case 2:
            Fact(
                "food-apple-float",
                "Apples float in water. That is no wonder, for about a quarter of an apple is air!"
            )
        case 3:
            Fact(
                "geography-vatican-small",
                "The smallest country in the world fits inside a city. Vatican City is surrounded by Rome."
            )
        case 4:
            Fact(
                "history-dog-friends",
                "Dogs were the first animals to live with people. Their ancestors were wolves, many thousands of years ago."
            )
        case 5:
            Fact(
                "inventions-umbrella-sun",
                "The first umbrellas were not for rain. They gave shade from the hot sun."
            )
        case 6:
            Fact(
                "kitchen-chemistry-onion-tears",
                "Cutting an onion sets free a gas that stings your eyes. Your eyes make tears to wash it away."
            )
        case 7:
            Fact(
                "languages-animal-sounds",
                "A rooster says cock-a-doodle-doo in English and kikeriki in German. In French it says cocorico."
            )
        case 8:
            Fact(
                "mathematics-cube-faces",
                "A cube has six faces, eight corners and twelve edges. Count them on a building block!"
            )
        case 9:
            Fact(
                "music-piano-hammers",
                "Inside a piano there are little hammers. Each time you press a key, a hammer hits the strings."
            )
        case 10:
            Fact(
                "oceans-jellyfish-water",
                "A jellyfish is almost all water. It has no bones, no heart and no brain, and still it swims."
            )
        case 11:
            Fact(
                "physics-water-strider",
                "Water has a kind of skin. It is strong enough for little insects called pond skaters to walk on it."
            )
        case 12:
            Fact(
                "plants-bamboo-grass",
                "Bamboo is a kind of grass. Some kinds can grow nearly one metre in a single day."
            )
        case 13:
            Fact(
                "space-moon-footprints",
                "There is no wind and no rain on the Moon. Footprints of astronauts can stay there for millions of years."
            )
        case 14:
            Fact(
                "sports-underwater-hockey",
                "Hockey can be played at the bottom of a swimming pool. The players wear snorkels and push a heavy puck."
            )
        case 15:
            Fact(
                "weather-snow-six",
                "Most snow crystals have six arms or six sides. That comes from the way water freezes."
            )
        case 16:
            Fact(
                "animals-octopus-hearts",
                "An octopus has three hearts. Two pump blood through the gills, and one through the rest of the body."
            )
        case 17:
            Fact(
                "body-hiccup",
                "A hiccup starts when the big breathing muscle below your lungs twitches. Then your vocal cords snap shut: hic!"
            )
        case 18:
            Fact(
                "food-watermelon-water",
                "A watermelon is more than nine tenths water. That makes it a snack and a drink in one!"
            )
        case 19:
            Fact(
                "geography-midnight-sun",
                "In the far north, the sun does not set at all for some time in summer. It even shines at midnight."
            )
        case 20:
            Fact(
                "history-pisa-tower",
                "The Leaning Tower of Pisa began to tilt while people were still building it. The ground below was too soft."
            )
        case 21:
            Fact(
                "inventions-glasses-nose",
                "The first glasses had no arms over the ears. People held them up or pinched them onto the nose."
            )
        case 22:
            Fact(
                "kitchen-chemistry-bread-holes",
                "The holes in bread come from yeast. These tiny living things eat sugar in the dough and let out gas."
            )
        case 23:
            Fact(
                "languages-hello-italy",
                "The Italian word ciao means both hello and goodbye. In Hawaii, aloha can also mean hello, goodbye and love."
            )
        case 24:
            Fact(
                "mathematics-honeycomb-hexagons",
                "Bees build their wax cells with six sides. That shape fills the space with no gaps and needs little wax."
            )
        case 25:
            Fact(
                "music-mozart-child",
                "Mozart was about five when he made up his first little pieces. His father wrote them down for him."
            )
        case 26:
            Fact(
                "oceans-starfish-brain",
                "Starfish have no brain and no blood. Sea water flows through little tubes inside them instead."
            )
        case 27:
            Fact(
                "physics-ice-floats",
                "Ice floats because water takes up more space when it freezes. That is why lakes freeze from the top."
            )
        case 28:
            Fact(
                "plants-pine-cone-weather",
                "Pine cones close when the air is damp and open when it is dry. On dry days the seeds fly best."
            )
        case 29:
            Fact(
                "space-sun-earths",
                "The Sun is so big that about one million Earths would fit inside. It only looks small because it is far away."
            )
        case 30:
            Fact(
                "sports-table-tennis-books",
                "Table tennis began as a game for after dinner. Some players used books to hit the ball across the table."
            )
        default:
            Fact(
                "weather-fog-cloud",
                "Fog is a cloud that touches the ground. When you walk through fog, you are walking through a cloud."
            )
        }
    }
}
