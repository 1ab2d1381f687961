"""Questions: which open choices change the result, what each answer does, and who answers."""

from prepwright.asking.answers import Ask, load_answers, matched, unused
from prepwright.asking.effect import Effect, compared
from prepwright.asking.measure import Budget, Measured, Question, Trials, measure

__all__ = [
    "Ask", "Budget", "Effect", "Measured", "Question", "Trials", "compared", "load_answers",
    "matched", "measure", "unused",
]  # fmt: skip
