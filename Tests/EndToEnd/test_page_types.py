"""The check of the page's JavaScript finds what screens have got wrong before: each is a few lines beside the page's own."""

import json
import os
import subprocess

from hub import ROOT, TANDEM

OUT = ROOT / ".build-types"

# What is written, and what tsc says of it.
MISTAKES = {
    "a field that the hub never sends (Today's part of Drums read two)": (
        """import { overview } from "../Companions/Drums/Web/overview.js";
           export const last = () => overview.here().today.lastPlayed;""",
        "Property 'lastPlayed' does not exist on type 'TodayResponse'",
    ),
    "a companion that the house does not have (screens sent people to a Kettle)": (
        """/** @type {Contract.Companion} */
           export const next = "kettle";""",
        "Type '\"kettle\"' is not assignable to type",
    ),
    "a bare fetch, whose failure no screen has words for (Play here, with the hub away)": (
        """export const copy = async (id) => (await fetch(`/api/drums/active/${id}`)).arrayBuffer();""",
        "Cannot find name 'fetch'",
    ),
    "a route that there is none of": (
        """import { get } from "../Web/app/api.js";
           export const all = () => get("/api/plant");""",
        "Argument of type '\"/api/plant\"' is not assignable",
    ),
    "a state that there is none of": (
        """/** @param {Plants.PlantResponse} plant */
           export const isDry = (plant) => plant.state === "thirsty";""",
        "This condition will always return 'false'",
    ),
    "a message that the hub never says": (
        """import { live } from "../Web/app/live.js";
           live.addEventListener("watered", () => {});""",
        "Argument of type '\"watered\"' is not assignable",
    ),
}


def test_mistakes_of_screens_are_refused_and_the_page_as_it_is_passes():
    """One test: tsc reads the whole page for it, and its files would be in the way of a second one's at the same time."""
    subprocess.run([ROOT / "scripts/types.sh"], check=True, env={**os.environ, "TANDEM_BINARY": str(TANDEM)})
    files = [OUT / f"mistake-{place}.js" for place in range(len(MISTAKES))]
    settings = OUT / "tsconfig.mistakes.json"
    for file, (text, _) in zip(files, MISTAKES.values()):
        file.write_text(text)
    whole = json.loads((OUT / "tsconfig.json").read_text())
    settings.write_text(json.dumps({**whole, "include": [*whole["include"], *(file.name for file in files)]}))
    try:
        said = subprocess.run(["tsc", "-p", settings], capture_output=True, text=True, cwd=OUT).stdout
    finally:
        for file in [*files, settings]:
            file.unlink()
    errors = [line for line in said.splitlines() if "error TS" in line]
    for file, (mistake, (_, words)) in zip(files, MISTAKES.items()):
        lines = [line for line in errors if file.name in line]
        assert len(lines) == 1 and words in lines[0], f"{mistake}\n{said}"
    assert all("mistake-" in line for line in errors), said
