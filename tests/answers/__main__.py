"""Write down what each word answers: ``python -m tests.answers [WORD ...]``. Read what has changed."""

import sys

from tests.answers.asking import TEXTS, WORDS, told

for name in sys.argv[1:] or WORDS:
    (TEXTS / f"{name}.txt").write_text(told(name), encoding="utf-8")
