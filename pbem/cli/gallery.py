"""Mails as files for a browser, with an index: `demo --show`, `play --mails`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pbem.house import templates
from pbem.text import in_utc

_OURS = re.compile(r"[0-9]{4}(-[0-9]+\.png|\.txt|\.html)")


@dataclass(frozen=True, slots=True)
class GalleryMail:
    """A mail to show."""

    to: str
    when: datetime | None
    subject: str
    plain: str
    html: str = ""
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def of_mail(raw: bytes, to: str) -> GalleryMail:
    from pbem.post.compose import Frozen  # noqa: PLC0415  a game on paper has no mails

    mail = Frozen(raw)
    return GalleryMail(to, mail.dated, mail.subject, mail.text, mail.html, mail.pictures)


def write(folder: Path, title: str, mails: Sequence[GalleryMail]) -> None:
    """Write mails as pages and texts with pictures, and an index, in place of earlier ones."""
    folder.mkdir(parents=True, exist_ok=True)
    for earlier in filter(lambda file: _OURS.fullmatch(file.name), folder.iterdir()):
        earlier.unlink()
    rows = []
    for number, mail in enumerate(mails, 1):
        name = f"{number:04d}"
        page = mail.html
        for place, (ident, png) in enumerate(mail.pictures.items(), 1):
            file = f"{name}-{place}.png"
            (folder / file).write_bytes(png)
            page = page.replace(f"cid:{ident}", file)
        (folder / f"{name}.txt").write_text(mail.plain, encoding="utf-8")
        if page:
            (folder / f"{name}.html").write_text(page, encoding="utf-8")
        rows.append((name, mail, bool(page)))
    index = templates.environment().get_template("_shared/gallery.html.j2")
    made = index.render(title=title, rows=rows, in_utc=in_utc)
    (folder / "index.html").write_text(made, encoding="utf-8")
