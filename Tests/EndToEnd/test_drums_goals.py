"""Goals in a child's own words, and beside them what the clinic measured."""

from playwright.sync_api import expect

from drums_screens import browser, looks, mila, opened, page, person, region  # noqa: F401
from shared import shared_hub

hub = shared_hub(web=True)


def test_a_goal_is_written_reached_archived_and_taken_back(hub, page, mila):  # noqa: F811
    opened(page, "/drums/goals", mila)
    expect(page.get_by_role("heading", level=1)).to_have_text("Mila has no goal yet")
    page.get_by_role("button", name="Add a goal").click()
    page.get_by_role("dialog").get_by_label("Goal").fill("Tie my shoes by myself")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What Mila wants to do")
    page.get_by_role("button", name="Reached: Tie my shoes by myself").click()
    expect(page.get_by_text("Reached on ")).to_be_visible()
    page.get_by_role("button", name="Archive: Tie my shoes by myself").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mila has no goal yet")
    page.get_by_role("button", name="Undo").last.click()
    expect(page.get_by_text("Reached on ")).to_be_visible()
    [goal] = hub.get(f"/api/drums/people/{mila['id']}/goals")["goals"]
    assert goal["text"] == "Tie my shoes by myself" and goal["state"] == "reached"


def test_a_score_of_the_clinic_is_entered_refused_and_removed_with_a_way_back(hub, page, mila):  # noqa: F811
    hub.post(f"/api/drums/people/{mila['id']}/goals", {"text": "Cut my own bread"})
    opened(page, "/drums/goals", mila)
    scores = region(page, "Clinic scores")
    scores.get_by_role("button", name="Enter a score").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Score").fill("151")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.get_by_text("This score is a whole number from 0 to 150.")).to_be_visible()
    page.wrongs.clear()  # the browser notes every 422
    sheet.get_by_label("Test", exact=True).select_option(label="COPM")
    sheet.get_by_label("Performance").fill("4")
    sheet.get_by_label("Satisfaction").fill("6")
    sheet.get_by_role("button", name="Save").click()
    expect(scores.get_by_text("Performance 4, satisfaction 6")).to_be_visible()
    expect(scores.get_by_text("COPM, Cut my own bread")).to_be_visible()
    scores.get_by_role("button", name="Remove: COPM").click()
    expect(scores.get_by_text("No score has been entered yet.")).to_be_visible()
    page.get_by_role("button", name="Undo").last.click()
    expect(scores.get_by_text("Performance 4, satisfaction 6")).to_be_visible()
    opened(page, "/drums/report", mila)
    expect(page.get_by_role("heading", name="Goals and clinic scores")).to_be_visible()
