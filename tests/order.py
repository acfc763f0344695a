"""In what order files are handed to the workers."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
LONG = (
    "faults/test_matrix.py",
    "club/test_club.py",
    "browser/test_desk.py",
    "year/test_year.py",
    "contract/test_twins.py",
    "browser/test_mails.py",
    "browser/test_desk_live.py",
    "browser/test_website.py",
    "mail/test_own_words.py",
    "contract/test_contract.py",
    "mail/test_serving.py",
    "mail/test_sample_game.py",
    "contract/test_pages.py",
    "contract/test_twin_letters.py",
    "mail/test_looks.py",
    "faults/test_side_by_side.py",
    "faults/test_sharing.py",
    "faults/test_database_trouble.py",
    "faults/test_turns.py",
    "faults/test_joining.py",
    "faults/test_offers.py",
    "mail/test_press_answers.py",
    "mail/test_press_modes.py",
    "mail/masters/test_every_act.py",
    "mail/test_evening.py",
    "mail/test_year.py",
    "contract/test_faces.py",
    "contract/test_scenarios.py",
    "test_seventh_game.py",
    "flows/test_flows.py",
    "docs/test_commands.py",
    "desk/test_every_act.py",
    "store/test_rows.py",
    "test_linear.py",
    "mail/test_early_closing.py",
    "mail/test_leaving.py",
    "mail/test_agreement.py",
    "mail/test_calendars.py",
    "mail/test_act_table.py",
)
"""The files that take longest: whoever came to one of them last would keep the others waiting."""
