"""A position or saved state of a stranger names no files: a component set is in it, or it is the default one."""

from __future__ import annotations

import json
import zlib

import pytest

from market_env import MarketState


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.toml"
    path.write_text("password = 'queen'\n")
    return str(path)


def test_a_position_opens_no_file(secret):
    position = MarketState(2, "base", 1).position()
    position["rules"]["components"] = secret
    with pytest.raises(ValueError, match="components") as caught:
        MarketState.from_position(position)
    assert "queen" not in str(caught.value) and "password" not in str(caught.value)
    position["rules"] = f"base:components={secret}"
    with pytest.raises(ValueError, match="rules: components must be the set itself"):
        MarketState.from_position(position)


def test_saved_bytes_open_no_file(secret):
    data = MarketState(2, "base", 1).to_bytes()
    head, content = data[:7], json.loads(zlib.decompress(data[11:]))
    content["position"]["rules"]["components"] = secret
    payload = zlib.compress(json.dumps(content).encode())
    forged = head + zlib.crc32(head + payload).to_bytes(4, "big") + payload
    with pytest.raises(ValueError, match="components") as caught:
        MarketState.from_bytes(forged)
    assert "queen" not in str(caught.value) and "password" not in str(caught.value)
