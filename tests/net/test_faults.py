"""The faults put in by hand: each can be put in, and has a test."""

import re
from collections import Counter

from tests.net.faults import ROOT, faults

FEWEST = 60


def test_each_fault_applies_and_its_test_is_there() -> None:
    wrong = []
    for fault in faults():
        try:
            fault.within((ROOT / fault.file).read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            wrong.append(str(problem))
        file, _, rest = fault.test.partition("::")
        test = ROOT / file
        function = re.escape(rest.partition("[")[0])
        if not test.exists() or not re.search(rf"^def {function}\(", test.read_text("utf-8"), re.M):
            wrong.append(f"{fault.name}: there is no test {fault.test}")
    assert not wrong, "\n".join(wrong)


def test_there_are_enough_faults_and_each_has_its_own_name() -> None:
    names = Counter(fault.name for fault in faults())
    assert names.total() >= FEWEST
    assert [name for name, times in names.items() if times > 1] == []
