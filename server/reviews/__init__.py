"""Reviews as they are told, drawn and kept."""
