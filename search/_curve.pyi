def chance(share: float, bias: float, slope: float) -> float:
    """1 / (1 + e^-(bias + slope · ln(share / (1 - share)))); 0 and 1 stay what they are. The slope is above 0."""
