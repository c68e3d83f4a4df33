"""Interpreted rules: each fault with its kind, line and words; states in bytes; what is hidden."""

from pathlib import Path

import pytest

from machiavel.engines.kit import card_sets
from machiavel.engines.kit.faults import Fault
from machiavel.engines.kit.interpreted import PeekingRule
from machiavel.engines.kit.interpreted_faults import FUEL, fault_of
from machiavel.engines.kit.kit_header import header_faults
from machiavel.engines.kit.layout import layout_of
from tests.engines.kit.small_games import TrialLuck, line_of, position_of, source_of
