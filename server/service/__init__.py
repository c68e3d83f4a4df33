"""The network service: games and bots behind gRPC."""
