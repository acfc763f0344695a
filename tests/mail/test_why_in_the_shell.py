"""`pbem why` in the shell: the same steps as by mail, from what everybody may know."""

from pathlib import Path

import pytest

from tests.installation import PASSWORD, Installation
from tests.shell import Shell


def test_a_record_is_printed_as_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_TEST_PASSWORD", PASSWORD)
    with Installation(tmp_path, "parlement-1966") as at:
        at.start()
        for seat in ("S", "R"):
            at.write(seat, "GOVERNMENT PREMIER S, FOREIGN R, DEFENSE S, FINANCE R WITH BILL 4")
        at.send("L", "ENDORSE S")
        at.to_deadline()
        at.send("S", "VOTE YES ON 4")
        at.to_deadline()
        said = Shell(at, tmp_path / "config.toml")("why", "g", "W")
    assert "\\x01" not in said and max(map(len, said.split("\n"))) <= 78
    assert "together" in said and "[22]" in said
