"""Record what the program does, or compare it with what was recorded.

``python -m tests.net record [kind ...]`` and ``python -m tests.net compare [kind ...]``, each also
with ``kind/group``; a comparison ends with 1 if there is a fault.
"""

import sys

from tests.net.compare import KINDS, compare, groups, record, stale


def main(what: str, *named: str) -> int:
    wanted = [one for one in groups() if not named or {one[0], "/".join(one)} & set(named)]
    if what == "record":
        for kind, group in wanted:
            print(f"{kind}/{group}: {record(kind, group):,} bytes", flush=True)
        return 0
    faults = 0
    for kind, group in wanted:
        found = compare(kind, group)
        faults += len(found.faults)
        for one in found.words:
            print(f"(words) {one}")
        for one in found.faults:
            print(one)
        print(f"{kind}/{group}: {len(found.faults)} faults", flush=True)
    for kind in KINDS:
        if not named or kind in named:
            for allowed in stale(kind):
                faults += 1
                print(f"{allowed.part}: {allowed.where} matches nothing any more")
    return bool(faults)


if __name__ == "__main__":
    if sys.argv[1:2] not in (["record"], ["compare"]):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
