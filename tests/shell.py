"""The gamesmaster's shell upon an installation, with a real configuration file."""

from pathlib import Path

from click.testing import CliRunner, Result

from pbem.cli import main
from tests.installation import GAMESMASTER, REFEREE, Installation

CONFIG = """
[referee]
address = "{referee}"
gamesmaster = "{gamesmaster}"
zone = "Europe/Paris"
database = "{url}"
authserv_id = "mx.game.example"
trust = "open"

[imap]
host = "127.0.0.1"
port = {imap}
user = "{referee}"
security = "none"
password_env = "PBEM_TEST_PASSWORD"
folders = ["INBOX"]

[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
password_env = "PBEM_TEST_PASSWORD"
"""


class Shell:
    """The command line upon an installation."""

    def __init__(self, at: Installation, file: Path) -> None:
        self.at, self.file = at, file
        self.settings = {
            "referee": REFEREE,
            "gamesmaster": GAMESMASTER,
            "url": at.url,
            "imap": at.office.imap_port,
            "smtp": at.office.smtp_port,
        }
        self.write(CONFIG.format(**self.settings))

    def write(self, text: str) -> None:
        self.file.write_text(text)

    def run(self, *words: str, code: int = 0, stdin: str | None = None) -> Result:
        result = CliRunner().invoke(main, [*words, "--config", str(self.file)], input=stdin)
        assert result.exit_code == code, (words, result.output, result.exception)
        assert '{"is": ' not in result.output, "a sheet that nobody has set"
        return result

    def __call__(self, *words: str, stdin: str | None = None) -> str:
        return self.run(*words, stdin=stdin).stdout

    def fails(self, *words: str, code: int = 1) -> str:
        return self.run(*words, code=code).stderr
