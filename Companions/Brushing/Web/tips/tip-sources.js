/** Names and titles stay as their publishers write them: they are what one looks for there. */
const original = String.raw;

const NHS = "NHS";
const ADA = original`American Dental Association`;
const DBOH = original`UK health departments, on gov.uk`;
const AAPD = original`American Academy of Pediatric Dentistry`;
const NIDCR = original`National Institute of Dental and Craniofacial Research`;
const COCHRANE = original`Cochrane`;
const CDC = original`Centers for Disease Control and Prevention`;

const TOOLKIT = "https://www.gov.uk/government/publications/"
    + "delivering-better-oral-health-an-evidence-based-toolkit-for-prevention";
const LIBRARY = "https://www.ada.org/resources/ada-library/oral-health-topics";
const POLICIES = "https://www.aapd.org/research/oral-health-policies--recommendations";

const source = (from, title, url) => ({ from, title, url });

/** Where the tips come from: who says it, under which title, and where it can be read. */
export const sources = {
    nhsClean: source(NHS, original`How to keep your teeth clean`,
        "https://www.nhs.uk/live-well/healthy-teeth-and-gums/how-to-keep-your-teeth-clean/"),
    nhsChildren: source(NHS, original`Children’s teeth`,
        "https://www.nhs.uk/live-well/healthy-teeth-and-gums/taking-care-of-childrens-teeth/"),
    nhsBaby: source(NHS, original`Looking after your baby’s teeth`,
        "https://www.nhs.uk/conditions/baby/babys-development/teething/looking-after-your-baby-teeth/"),
    nhsGum: source(NHS, original`Gum disease`, "https://www.nhs.uk/conditions/gum-disease/"),
    nhsKnocked: source(NHS, original`Knocked-out tooth`, "https://www.nhs.uk/conditions/knocked-out-tooth/"),
    nhsGrinding: source(NHS, original`Teeth grinding`, "https://www.nhs.uk/conditions/teeth-grinding/"),
    niceRecall: source("NICE", original`Dental checks: intervals between oral health reviews`,
        "https://www.nice.org.uk/guidance/cg19"),
    dbohSummary: source(DBOH, original`Delivering better oral health, summary tables`,
        `${TOOLKIT}/chapter-2-summary-guidance-tables-for-dental-teams`),
    dbohFluoride: source(DBOH, original`Delivering better oral health, fluoride`, `${TOOLKIT}/chapter-9-fluoride`),
    dbohFood: source(DBOH, original`Delivering better oral health, healthier eating`, `${TOOLKIT}/chapter-10-healthier-eating`),
    adaBrushes: source(ADA, original`Toothbrushes`, `${LIBRARY}/toothbrushes`),
    adaFloss: source(ADA, original`Floss and interdental cleaners`, `${LIBRARY}/floss`),
    adaErosion: source(ADA, original`Dental erosion`, `${LIBRARY}/dental-erosion`),
    adaGum: source(ADA, original`Chewing gum`, `${LIBRARY}/chewing-gum`),
    adaGuards: source(ADA, original`Athletic mouth protectors`, `${LIBRARY}/athletic-mouth-protectors-mouthguards`),
    mhBrushing: source(original`MouthHealthy, of the American Dental Association`, original`Brushing your teeth`,
        "https://www.mouthhealthy.org/all-topics-a-z/brushing-your-teeth"),
    mhBraces: source(original`MouthHealthy, of the American Dental Association`, original`Braces`,
        "https://www.mouthhealthy.org/all-topics-a-z/braces"),
    aapdFluoride: source(AAPD, original`Fluoride therapy`, `${POLICIES}/fluoride-therapy/`),
    aapdInfant: source(AAPD, original`Perinatal and infant oral health care`,
        `${POLICIES}/perinatal-and-infant-oral-health-care/`),
    aapdCaries: source(AAPD, original`Early childhood caries: consequences and preventive strategies`,
        `${POLICIES}/early-childhood-caries-classifications-consequences-and-preventive-strategies/`),
    cdcSealants: source(CDC, original`About dental sealants`,
        "https://www.cdc.gov/oral-health/prevention/about-dental-sealants.html"),
    cdcGum: source(CDC, original`Gum (periodontal) disease`,
        "https://www.cdc.gov/oral-health/about/gum-periodontal-disease.html"),
    nidcrHygiene: source(NIDCR, original`Oral hygiene`, "https://www.nidcr.nih.gov/health-info/oral-hygiene"),
    nidcrDecay: source(NIDCR, original`The tooth decay process`,
        "https://www.nidcr.nih.gov/health-info/tooth-decay/more-info/tooth-decay-process"),
    nidcrDry: source(NIDCR, original`Dry mouth`, "https://www.nidcr.nih.gov/health-info/dry-mouth"),
    whoSugar: source(original`World Health Organization`, original`Sugars and dental caries`,
        "https://www.who.int/news-room/fact-sheets/detail/sugars-and-dental-caries"),
    cochraneBetween: source(COCHRANE, original`Home use of interdental cleaning devices, in addition to toothbrushing`,
        "https://doi.org/10.1002/14651858.CD012018.pub2"),
    cochranePowered: source(COCHRANE, original`Powered versus manual toothbrushing for oral health`,
        "https://doi.org/10.1002/14651858.CD002281.pub3"),
};
