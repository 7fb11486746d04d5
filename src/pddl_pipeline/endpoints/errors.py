"""The errors of requests to an endpoint."""

from __future__ import annotations

from typing import Final

from pddl_pipeline.endpoints.settings import KEY, without_key
from pddl_pipeline.model.errors import InputError, PipelineError

_EXPECTED: Final = {
    401: f"a valid key in the environment variable {KEY}",
    403: f"a key in {KEY} that has access to the model",
    404: "an address and a model that the endpoint has",
}


class Rejected(InputError):
    """The endpoint rejects the request, and would reject it again."""

    def __init__(self, address: str, status: int, said: str) -> None:
        """Describe the rejection.

        Args:
            address: the address of the request.
            status: the HTTP status of the response.
            said: what the endpoint wrote.
        """
        expected = _EXPECTED.get(status, "a request that the endpoint accepts")
        found = f"found HTTP {status} {shown(said)}".rstrip()
        super().__init__(f"{found}; expected {expected}", file=address)
        self.status = status

    @property
    def concerns_all(self) -> bool:
        """Whether other prompts would be rejected, too: the key, the model or the address."""
        return self.status in _EXPECTED


class Unreachable(InputError):
    """There is no server at the address."""

    def __init__(self, address: str, fault: str) -> None:
        """Describe the failure; `fault` is what the system reports."""
        super().__init__(
            f"found no server ({shown(fault)}), expected a running endpoint", file=address
        )


class NoAnswer(PipelineError):
    """The endpoint returned no usable answer in any of the tries."""

    def __init__(self, address: str, tries: int, fault: str) -> None:
        """Describe the failure.

        Args:
            address: the address of the requests.
            tries: their number.
            fault: what went wrong the last time.
        """
        times = "1 try" if tries == 1 else f"{tries} tries"
        super().__init__(f"{address} returned no answer in {times}: {shown(fault)}")


def shown(said: str) -> str:
    """Return what a server wrote as part of a line: short, printable, and without the key."""
    words = " ".join(without_key(said).split())
    return "".join(sign for sign in words if sign.isprintable())[:300]
