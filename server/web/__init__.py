"""The web door: the same services over HTTP/1.1, in JSON or binary."""
