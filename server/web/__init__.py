"""The web door: the services over HTTP/1.1, for browsers, curl and whoever has no gRPC."""
