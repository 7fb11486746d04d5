"""Faults of an endpoint: what it answers, and the largest number of tokens that it bills."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from typing import Any

from asked_prompts import SECRET
from model_server import COUNTS, Answer, in_parts, message, slow, status

MOST = 121, 10
"""Tokens of a prompt of 11 bytes and of its answer with ``--max-tokens 10``."""
FORMS = (
    SECRET,
    *("".join(f"{back}u{ord(sign):04X}" for sign in SECRET) for back in ("\\", "\\\\")),
    SECRET.replace("-", "%2d"),
    *(b64encode(f"{before}{SECRET}".encode()).decode() for before in ("", "u", "u:")),
    SECRET.encode().hex(), SECRET.encode().hex().upper(), SECRET[::-1],
    *("".join(start.format(ord(sign)) for sign in SECRET) for start in ("&#{};", "&#x{:X};")),
)  # fmt: skip
"""The key, also escaped for JSON, addresses and HTML, in base64 and hexadecimal, and reversed."""


def repeating(number: int, form: str) -> Answer:
    """Return an answer with the key wherever a server may repeat it."""
    body = {
        "id": SECRET, "model": SECRET, "error": {"message": SECRET},
        "choices": [{"message": {"content": f"Is it {SECRET}?", "reasoning_content": SECRET},
                     "finish_reason": SECRET}],
        "usage": {"prompt_tokens": SECRET, SECRET: 1},
    }  # fmt: skip
    text = json.dumps(body).replace(SECRET, form)
    return status(number, text, X_Request_Id=form, Retry_After=form, Connection="close")


LOST: dict[str, tuple[Answer, tuple[int, int]]] = {
    "cut": (in_parts(1000, '{"choices": [{"mess'), MOST),
    "closed": (slow(0), MOST),
    "silent": (slow(1), MOST),
    "garbage": (status(200, "garbage"), MOST),
    "deep": (status(200, "[" * 10**5), MOST),
    "no choices": (status(200, '{"choices": []}'), MOST),
    "500": (status(500), MOST),
    "504": (status(504), MOST),
    "408": (status(408), MOST),
    "429": (status(429), (0, 0)),
    "503": (status(503), (0, 0)),
    "key 400": (repeating(400, SECRET), (0, 0)),
    **{f"key {form} 500": (repeating(500, form), MOST) for form in FORMS},
}
"""Responses without a text, and what they cost."""
USAGES: dict[str, tuple[tuple[Any, Any], tuple[int, int]]] = {
    "floats": ((100.0, 5.0), (100, 5)),
    "fractions": ((5.5, 2.25), (6, 3)),
    "more than asked for": ((7, 12), (7, 12)),
    "negative": ((-1, -1.5), MOST),
    "no numbers": ((float("nan"), float("inf")), MOST),
    "absurd": ((1e300, 10**4000), MOST),
    "other types": (("7", True), MOST),
}
"""Numbers of tokens that a server reports, and what counts."""
USABLE: dict[str, tuple[Answer, tuple[int, int]]] = {
    **{
        name: (message("stop", dict(zip(COUNTS, found, strict=True)), content="x"), billed)
        for name, (found, billed) in USAGES.items()
    },
    "a list": (message("stop", [1], content="x"), MOST),
    "no usage": (message("stop", None, content="x"), MOST),
    "surrogates": (message("stop", content="a\ud800b\udc00"), (7, 3)),
    "key elsewhere": (message("stop", content="x", reasoning=SECRET), (7, 3)),
    "key in parts": (message("stop", content=[{"text": "sk-"}, {}, {"text": SECRET[3:]}]), (7, 3)),
    **{f"key {form}": (repeating(200, form), MOST) for form in FORMS},
}
"""Responses with a text, and what they cost."""


def check_no_key(texts: Iterable[str]) -> None:
    """Check that no text has the key in any form."""
    assert not [form for text in texts for form in FORMS if form in text]
