"""The error of a call that fails."""

from collections.abc import Callable

import grpc

from machiavel.clients import Client, ServiceError, errors


def failure(service: Client, call: Callable[[Client], object]) -> ServiceError:
    try:
        call(service)
    except ServiceError as error:
        return error
    except grpc.RpcError as error:
        return errors.from_call(error)
    raise AssertionError("the call did not fail")
