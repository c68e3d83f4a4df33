"""Whether rules look at what a seat does not see."""

from machiavel.engines.conformance import Chapter

CHAPTER = Chapter("peeking")
