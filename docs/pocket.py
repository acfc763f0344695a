"""Check a game's chance and journal with nothing but Python.

seed HASH SEED                  does the seed fit the SHA-256 that bulletin 0 printed?
draw SEED GAME STREAM N [HOW]   the first HOW draws (0 to N-1) of a stream
journal FILE HEAD               does journal.json hold together, and is HEAD of a bulletin in it?
"""

import hashlib
import json
import sys


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def draws(seed, game, stream, n, how):
    limit, block, found = 2**256 - 2**256 % n, 0, []
    while len(found) < how:
        number = int(sha(f"{seed}/{game}/{stream}/{block}"), 16)
        block += 1
        if number < limit:
            found.append(number % n)
    return found


def heads(entries):
    before = "0" * 64
    for entry in entries:
        said = {name: entry[name] for name in ("n", "at", "kind", "data")}
        text = json.dumps(said, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        before = sha(before + entry["nonce"] + text)
        if before != entry["hash"]:
            sys.exit(f"entry {entry['n']} does not follow from the one before")
        yield before


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["seed", commitment, seed]:
            print("it fits" if sha(seed) == commitment.lower() else "IT DOES NOT FIT")
        case ["draw", seed, game, stream, n, *how]:
            print(*draws(seed, game, stream, int(n), int(how[0]) if how else 1))
        case ["journal", file, head]:
            with open(file, encoding="utf-8") as text:
                found = [one for one in heads(json.load(text)) if one.startswith(head)]
            print("whole, and the head is in it" if found else "WHOLE, BUT THE HEAD IS NOT IN IT")
        case _:
            sys.exit(__doc__)
