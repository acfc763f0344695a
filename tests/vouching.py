"""What our mail server says of a letter."""


def vouched(who: str, result: str = "pass") -> str:
    """Its DMARC result, of a letter of a seat's or from an address."""
    domain = who.partition("@")[2] or "legit.example"
    return f"mx.game.example; dmarc={result} header.from={domain}"
