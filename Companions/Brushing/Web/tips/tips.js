import { sources } from "./tip-sources.js";

/** The groups of the tips, in the order in which they are shown. */
export const GROUPS = [
    { id: "brushing", title: "Brushing", icon: "brushing" },
    { id: "between", title: "Between the teeth", icon: "floss" },
    { id: "tools", title: "Brush and toothpaste", icon: "tooth" },
    { id: "children", title: "Children", icon: "people" },
    { id: "food", title: "What one eats and drinks", icon: "drop" },
    { id: "dentist", title: "Gums, and the dentist", icon: "calendar" },
];

const tip = (id, group, title, says, source) => ({ id, group, title, says, source: sources[source] });

/**
 * The tips, written for this house, each with the public source that says so. They are about habits, and no advice
 * for a case of one’s own: that is a dentist’s. Their order is the one in which a summary shows them, so that one
 * learns the weightiest first; a new tip goes to the end.
 * @type {Array<{id: string, group: string, title: string, says: string,
 *   source: {from: string, title: string, url: string}}>}
 */
export const tips = [
    tip("spit", "brushing", "Spit, don’t rinse",
        "A film of toothpaste left on the teeth goes on working after you have stopped. Spit it out, and leave the "
        + "water for later.", "nhsClean"),
    tip("twice", "brushing", "Twice a day",
        "Once in the evening as the last thing, and once at another time. What the evening leaves on the teeth has "
        + "the whole night to itself.", "dbohSummary"),
    tip("two-minutes", "brushing", "Two whole minutes",
        "Most people stop long before they think they do. Two minutes are thirty seconds for each quarter of the "
        + "mouth.", "nhsClean"),
    tip("night", "brushing", "The evening counts most",
        "Asleep, the mouth makes little saliva, and saliva is what protects the teeth between brushings. After the "
        + "evening’s brushing: only water.", "dbohFluoride"),
    tip("fluoride", "tools", "Fluoride does the work",
        "The brush lifts the film off; the fluoride makes the enamel harder to dissolve. For most people from seven "
        + "on, a paste with 1,350 to 1,500 ppm of it is advised. The number stands on the tube.", "dbohFluoride"),
    tip("three-sides", "brushing", "Three sides each",
        "Outside, inside, and the top that chews. The inside of the lower front teeth is where it is left out most.",
        "mhBrushing"),
    tip("tilt", "brushing", "Where tooth meets gum",
        "Tilt the brush so that half of its bristles touch the gum. The film likes that edge, and so does gum disease.",
        "adaBrushes"),
    tip("soft", "tools", "Soft is enough",
        "A small head with soft or medium bristles reaches more and scratches less. If they splay after a few weeks, "
        + "you are pressing too hard.", "adaBrushes"),
    tip("gently", "brushing", "Small strokes, light hand",
        "Short strokes or small circles clean better than scrubbing to and fro, which wears gums and the necks of "
        + "teeth.", "mhBrushing"),
    tip("between-daily", "between", "Once a day in between",
        "A brush reaches three of a tooth’s five sides. The other two want floss or a small brush, once a day.",
        "nidcrHygiene"),
    tip("between-first", "between", "Which first?",
        "Floss before or after, as you like. What matters is that it happens each day, and that nobody hurries.",
        "adaFloss"),
    tip("small-brushes", "between", "Small brushes for gaps",
        "Where there is room, an interdental brush is easier than floss, and may do more for the gums. It should fit "
        + "without force: a dentist finds the size.", "cochraneBetween"),
    tip("bleeding", "dentist", "Gums that bleed",
        "Blood in the basin is often the first sign of inflamed gums. Go on brushing, gently and every day, and show "
        + "it to a dentist if it does not stop within a week or two.", "nhsGum"),
    tip("new-brush", "tools", "A new brush each season",
        "Every three to four months, or sooner when the bristles have lost their shape. Tandem remembers when it was.",
        "adaBrushes"),
    tip("rice", "children", "A grain of rice",
        "Under three years a smear of paste is enough, no more than a grain of rice. It may be swallowed then, and "
        + "should not be more.", "aapdFluoride"),
    tip("pea", "children", "A pea",
        "From three years on a child takes paste as large as a pea, and learns to spit it out.", "nhsChildren"),
    tip("first-tooth", "children", "From the first tooth",
        "Brushing begins with the first tooth that comes through, twice a day, with a small soft brush.", "nhsBaby"),
    tip("help", "children", "Help until about seven",
        "Small hands cannot do the back teeth yet. Brush for a child at first, then with it, and watch until it is at "
        + "least seven.", "nhsChildren"),
    tip("bottle", "children", "Nothing sweet in the bottle",
        "At night a bottle of milk or juice bathes the teeth for hours. Once teeth are there, water is what belongs "
        + "in the bed, and a cup from the first birthday on.", "aapdCaries"),
    tip("first-visit", "children", "A visit before the first birthday",
        "A child may meet a dentist when the first tooth is there, and by one year at the latest. Nothing hurts, and "
        + "nobody need be brave.", "aapdInfant"),
    tip("sealants", "children", "Sealed furrows",
        "The back teeth have furrows too narrow for any bristle. A dentist can seal them when they have come through, "
        + "at about six and about twelve years.", "cdcSealants"),
    tip("acid", "food", "Wait after something sour",
        "Juice, fruit and fizzy drinks soften the enamel for a while, and vomit does too. Rinse with water, and brush "
        + "an hour later, not at once.", "adaErosion"),
    tip("how-often", "food", "How often, more than how much",
        "Each time something sweet comes, acid works for half an hour or so. Sweets after a meal do less harm than "
        + "sweets all afternoon.", "nidcrDecay"),
    tip("sugar", "food", "Less free sugar",
        "The World Health Organization advises less than a tenth of the day’s energy from sugar that was added, and "
        + "from honey, syrup and juice; better still, half of that.", "whoSugar"),
    tip("water", "food", "Water between meals",
        "Water and plain milk do no harm between meals. Squash, cola and sports drinks do, those without sugar too: "
        + "they are sour.", "dbohFood"),
    tip("gum", "food", "Chewing, without sugar",
        "Sugar-free gum after a meal makes saliva flow, and saliva carries the acid off. It takes no brushing’s place.",
        "adaGum"),
    tip("electric", "tools", "Electric or by hand?",
        "Both clean well. Over some months, powered brushes took off somewhat more of the film in studies. Hold one "
        + "still, tooth by tooth, and let it move.", "cochranePowered"),
    tip("dry-brush", "tools", "Let it stand and dry",
        "Rinse the brush, stand it up in the air, and keep it to yourself. In a closed box it stays wet.",
        "adaBrushes"),
    tip("mouthwash", "brushing", "Mouthwash at another time",
        "Straight after brushing it washes the stronger paste away. If you use one, do so after lunch, and eat and "
        + "drink nothing for half an hour.", "nhsClean"),
    tip("braces", "between", "Around braces",
        "Brush above and below each bracket, and use a small brush under the wire. It takes longer than two minutes, "
        + "and after each meal is best.", "mhBraces"),
    tip("guard", "dentist", "A guard for sport",
        "Where balls, sticks or elbows fly, a mouth guard that fits saves teeth. Rinse it after each use, and keep it "
        + "in a box with holes.", "adaGuards"),
    tip("knocked-out", "dentist", "A tooth knocked out",
        "A grown-up tooth: hold it by the crown, put it back at once or into milk, and go to a dentist within the "
        + "hour. A milk tooth is not put back.", "nhsKnocked"),
    tip("check-up", "dentist", "How often to be seen",
        "Not everybody needs each half-year. A dentist says which time is right for you, between three months and two "
        + "years, and for children at most one.", "niceRecall"),
    tip("smoking", "dentist", "Smoke hides it",
        "Who smokes loses gum and bone sooner, and bleeds less, so that it shows later. Stopping helps the gums at "
        + "any age.", "cdcGum"),
    tip("dry-mouth", "dentist", "A dry mouth",
        "Many medicines dry the mouth, and without saliva teeth decay sooner. Tell your dentist what you take; sip "
        + "water.", "nidcrDry"),
    tip("grinding", "dentist", "Grinding at night",
        "A sore jaw in the morning or worn edges may come from it. A dentist can see it, and make something to wear "
        + "at night.", "nhsGrinding"),
];
