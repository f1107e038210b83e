"""The checks of ``env()`` against PettingZoo's own wrappers around ``raw_env()``, call by call."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from market_env import market_v0
from torres_env import torres_v0

ENVS = [(torres_v0, "standard"), (market_v0, "base")]


def wrapped(module, rules, illegal, **options):
    env = module.raw_env(rules=rules, **options)
    if illegal == "lose":
        env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def outcome(call):
    """What a call gives, or how it fails; and what PettingZoo's logger was given."""
    EnvLogger.flush()
    EnvLogger.suppress_output()
    try:
        result = call()
    except (AssertionError, AttributeError, ValueError, KeyError) as error:
        result = type(error).__name__, str(error)
    finally:
        EnvLogger.unsuppress_output()
    return result, list(EnvLogger.mqueue)


def same(first, second):
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, (tuple, list)):
        return len(first) == len(second) and all(map(same, first, second))
    return np.array_equal(first, second)


def everything(env):
    return [
        outcome(lambda name=name: getattr(env, name))
        for name in ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos")
    ] + [outcome(env.last), outcome(lambda: env.observe("player_1"))]


@pytest.mark.parametrize(("module", "rules"), ENVS)
@pytest.mark.parametrize("illegal", ["lose", "raise"])
def test_as_with_pettingzoos_wrappers(module, rules, illegal):
    chance = np.random.default_rng(7)
    ours, theirs = module.env(rules=rules, illegal=illegal), wrapped(module, rules, illegal)
    actions = ours.action_space("player_0").n
    kinds = dict.fromkeys(("legal", "illegal", "beyond", "below", "none", "float", "numpy"), 0)
    for game in range(12):
        for env in (ours, theirs):
            env.reset(seed=game)
        for _ in range(400):
            kind = chance.choice(list(kinds), p=[0.94, *[0.01] * 6])
            mask = ours.last()[0]["action_mask"]
            legal = np.flatnonzero(mask)
            dead = ours.terminations[ours.agent_selection] or ours.truncations[ours.agent_selection]
            action = {
                "legal": None if dead else int(chance.choice(legal)) if len(legal) else None,
                "illegal": int(chance.choice(np.flatnonzero(mask == 0))),
                "beyond": int(actions),
                "below": -1,
                "none": None,
                "float": 1.0,
                "numpy": np.int64(legal[0]) if len(legal) and not dead else None,
            }[kind]
            first, second = (outcome(lambda env=env, action=action: env.step(action)) for env in (ours, theirs))
            assert same(first, second), (kind, action)
            kinds[kind] += 1
            assert same(everything(ours), everything(theirs)), (kind, action)
            if not ours.agents:
                break
        assert same(outcome(lambda: ours.step(0)), outcome(lambda: theirs.step(0))) or ours.agents
    assert all(kinds.values())


@pytest.mark.parametrize(("module", "rules"), ENVS)
def test_calls_before_reset(module, rules):
    ours, theirs = module.env(rules=rules, render_mode="ansi"), wrapped(module, rules, "lose", render_mode="ansi")
    for name in ("step", "observe", "render", "agent_iter", "state"):
        argument = {"step": (0,), "observe": ("player_0",)}.get(name, ())
        first, second = (
            outcome(lambda env=env, name=name, argument=argument: getattr(env, name)(*argument))
            for env in (ours, theirs)
        )
        assert first == second, name
        assert first[0][0] == "AssertionError"
    for name in ("rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents"):
        first, second = (outcome(lambda env=env, name=name: getattr(env, name)) for env in (ours, theirs))
        assert first == second == (("AttributeError", f"{name} cannot be accessed before reset"), [])


def test_a_loop_that_does_not_step():
    ours, theirs = torres_v0.env(), wrapped(torres_v0, "standard", "lose")
    for env in (ours, theirs):
        env.reset(seed=1)
        agents = iter(env.agent_iter())
        assert next(agents) == "player_0"
        with pytest.raises(AssertionError, match="need to call step"):
            next(agents)
    assert len(list(_walk(ours, 5))) == 5


def _walk(env, most):
    env.reset(seed=1)
    for agent in env.agent_iter(most):
        env.step(int(env.last()[0]["action_mask"].argmax()))
        yield agent


def test_illegal_actions_drawn_at_random_depend_on_the_seed():
    texts = []
    for _ in range(2):
        env = torres_v0.env(illegal="random")
        env.reset(seed=5)
        for _ in range(30):
            env.step(-3)
        texts.append(env.game_state.history())
    assert texts[0] == texts[1]
    assert len(set(texts[0])) > 5


@pytest.mark.parametrize(("module", "rules"), ENVS)
def test_the_state_of_all_seats(module, rules):
    env = module.env(num_players=3, rules=rules)
    env.reset(seed=2)
    state = env.state()
    assert env.state_space.contains(state)
    assert state.shape == (3, env.game.observation_size)
    for seat in range(3):
        parts = env.game_state.observation(seat).values()
        np.testing.assert_array_equal(state[seat], np.concatenate([part.ravel() for part in parts]))


@pytest.mark.parametrize(("module", "rules"), ENVS)
def test_the_mask_in_the_info_alone(module, rules):
    bare, usual = module.env(rules=rules, mask_in="info", flatten=True), module.env(rules=rules, flatten=True)
    assert bare.observation_space("player_0") == usual.observation_space("player_0")["observation"]
    for env in (bare, usual):
        env.reset(seed=4)
    for _ in range(200):
        seen, *_, info = bare.last()
        expected, *_, their_info = usual.last()
        assert bare.observation_space("player_0").contains(seen)
        np.testing.assert_array_equal(seen, expected["observation"])
        np.testing.assert_array_equal(info["action_mask"], their_info["action_mask"])
        if not info["action_mask"].any():
            break
        for env in (bare, usual):
            env.step(int(info["action_mask"].argmax()))
    with pytest.raises(ValueError, match="mask_in must be 'observation' or 'info', not 'both'"):
        module.env(mask_in="both")


@pytest.mark.parametrize(("module", "rules"), ENVS)
def test_starting_from_a_position(module, rules):
    env = module.env(rules=rules)
    env.reset(seed=6)
    for _ in range(25):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
    position = env.game_state.position()
    again = module.env(rules=rules)
    again.reset(seed=9, options={"position": position})
    assert again.game_state.position() == position
    for _ in range(5):
        for one in (env, again):
            one.step(int(np.flatnonzero(one.last()[0]["action_mask"])[-1]))
    assert again.game_state.position() == env.game_state.position()
    del position["rng"]
    again.reset(seed=9, options={"position": position})
    fresh = module.env(rules=rules)
    fresh.reset(seed=9)
    assert again.game_state.position()["rng"] == fresh.game_state._record["rng"][0]
    with pytest.raises(ValueError, match="no_such"):
        again.reset(options={"position": {**position, "rules": {"no_such": 1}}})
    with pytest.raises(ValueError, match="position: must be a game in progress"):
        module.env(num_players=3, rules=rules).reset(options={"position": position})


def test_human_mode_shows_from_the_reset_on(capsys):
    env = torres_v0.env(render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == f"{env.game_state}\n"
