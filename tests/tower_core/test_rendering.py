"""`render_mode="human"` as Gymnasium means it: every position that is reached is shown without being asked for."""

from __future__ import annotations

import gymnasium
import pytest

from market_env import market_v0
from torres_env import torres_v0


@pytest.fixture(params=["torres_env/Torres-v0", "market_env/Market-v0"])
def name(request):
    return request.param


def shown(capsys):
    """What was shown since the last call."""
    return capsys.readouterr().out


def test_a_game_is_shown_from_its_start_to_its_end(name, capsys):
    env = gymnasium.make(name, opponents="random", render_mode="human")
    env.reset(seed=3)
    assert shown(capsys) == f"{env.unwrapped.game_state}\n"
    done = False
    while not done:
        mask = env.unwrapped.action_masks()
        *_, terminated, truncated, _ = env.step(int(mask.nonzero()[0][-1]))
        done = terminated or truncated
        assert shown(capsys) == f"{env.unwrapped.game_state}\n"
    assert env.unwrapped.game_state.is_terminal()
    assert env.render() is None
    assert shown(capsys) == f"{env.unwrapped.game_state}\n"


def test_games_at_once(name, capsys):
    env = gymnasium.make_vec(name, num_envs=2, opponents="random", render_mode="human")
    batch = env.unwrapped.batch

    def boards():
        return "".join(f"{batch.state(i)}\n" for i in range(2))

    env.reset(seed=3)
    assert shown(capsys) == boards()
    env.step(env.unwrapped.action_masks().argmax(1))
    assert shown(capsys) == boards()
    assert env.render() is None
    assert shown(capsys) == boards()


@pytest.mark.parametrize("module", [torres_v0, market_v0])
def test_pettingzoo(module, capsys):
    env = module.env(render_mode="human")
    env.reset(seed=3)
    shown(capsys)
    for agent in env.agent_iter(5):
        env.step(int(env.infos[agent]["action_mask"].argmax()))
        assert shown(capsys) == f"{env.unwrapped.game_state}\n"
    assert env.render() is None


@pytest.mark.parametrize("module", [torres_v0, market_v0])
def test_no_mode_shows_nothing(module, capsys):
    env = module.env()
    env.reset(seed=3)
    with pytest.warns(UserWarning, match="pass a render_mode when making the environment"):
        assert env.render() is None
    assert shown(capsys) == ""
