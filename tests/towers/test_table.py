"""Tables: moves, taking back, hints, who may see what, going on from a record."""

from __future__ import annotations

import pytest

from tower_core.players.asking import PlayerError
from tower_core.players.specs import make_player
from tower_core.records import format_record, parse_records
from towers.table import Table, advise, ask, default_player
from train import checkpoint


def play_all(table):
    while table.to_move is not None:
        table.play(table.hint("greedy").action if table.human_to_move else table.thinker()())
    return table


@pytest.fixture(scope="module")
def finished():
    return play_all(Table("torres", ["human", "greedy"], seed=3))


def test_players_take_their_turns(finished):
    assert finished.is_open
    assert finished.moves == len(finished.log(None)) > 60
    assert finished.past(0).history() == []
    assert finished.past(finished.moves) is finished.state
    with pytest.raises(ValueError, match="the game is over"):
        finished.play("END")
    with pytest.raises(ValueError, match="the game is over"):
        finished.hint("greedy")
    with pytest.raises(ValueError, match="moves, not"):
        finished.past(finished.moves + 1)


def test_a_game_goes_on_from_its_record():
    table = Table("market", ["human", "greedy"], "full", seed=4)
    for _ in range(30):
        table.play(table.hint("greedy").action if table.human_to_move else table.thinker()())
    [record] = parse_records(format_record(table.record()).splitlines())
    again = Table.of_record(record)
    assert again.state.to_bytes() == table.state.to_bytes()
    assert [state.to_bytes() for state in again._past] == [state.to_bytes() for state in table._past]


def test_a_record_is_looked_at(finished):
    [record] = parse_records(format_record(finished.record()).splitlines())
    shown = Table.replay(record)
    assert shown.is_replay and shown.is_open and shown.humans == []
    assert shown.moves == finished.moves
    assert shown.past(20).position() == finished.past(20).position()
    assert shown.record() == finished.record()


def test_undo_goes_to_the_last_decision_of_the_person():
    table = Table("torres", ["human", "greedy"], seed=3)
    with pytest.raises(ValueError, match="no move to undo"):
        table.undo()
    before = table.state.to_bytes()
    table.play("N d1")
    while not table.human_to_move:
        table.play(table.thinker()())
    table.undo()
    assert table.state.to_bytes() == before
    assert not table.can_undo


def test_no_undo_against_people():
    table = Table("torres", ["human", "human"], seed=3)
    table.play("N d1")
    assert not table.can_undo
    with pytest.raises(ValueError, match="one person against players"):
        table.undo()


def test_wrong_moves_change_nothing():
    table = Table("torres", ["human", "greedy"], seed=3)
    before = table.state.to_bytes()
    for text, reason in (("B d3", "a knight is put"), ("hello", "unknown action"), ("N a1", "unoccupied castle block")):
        with pytest.raises(ValueError, match=reason):
            table.play(text)
    with pytest.raises(ValueError, match="player_0 is to move"):
        table.play("N d1", seat=1)
    assert table.state.to_bytes() == before
    assert table.moves == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("chess", ["human"]), "unknown game"),
        (("torres", ["human"]), "num_players"),
        (("torres", ["human", "nobody"]), "unknown player"),
        (("torres", ["human", "greedy"], "odd"), "unknown preset"),
        (("torres", ["human", "greedy"], None, -1), "seed"),
        (("market", ["human", "greedy"], "solo"), "num_players"),
    ],
)
def test_tables_that_cannot_be(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        Table(*arguments)


class Wrong:
    name, native = "wrong", None

    def __init__(self, action):
        self.action = action

    def act(self, state):
        if self.action is None:
            raise RuntimeError("no idea")
        return self.action


def test_a_player_that_fails_is_named():
    state = Table("torres", ["human", "greedy"], seed=3).state
    with pytest.raises(PlayerError, match="player wrong failed as player_0: RuntimeError: no idea"):
        ask(Wrong(None), state)
    with pytest.raises(PlayerError, match="player wrong returned 0 as player_0: .* is not legal"):
        ask(Wrong(0), state)
    with pytest.raises(ValueError, match="a hint needs a player"):
        advise("human", state)


def test_hints_come_from_a_player_that_is_there():
    assert make_player(default_player("torres"), Table("torres", ["human", "greedy"], seed=3).game)


@pytest.mark.parametrize("name", ["torres", "market"])
def test_every_action_has_its_words(name):
    """Over whole games of random play, so that every kind of action comes by."""
    wanted = {
        "torres": {"END", "BUY", "PICK", "PLAY", "B", "N", "M", "K"},
        "market": {"END", "BUY", "TRADE", "ENTER", "LOOK", "KEEP", "CARD", "HIRE", "STEAL", "PAY", "TAKE", "BUILD"},
    }
    verbs = set()
    for seed in range(30):
        rules = "full" if name == "market" else "standard"
        table = Table(name, ["random", "random", "random"], rules, seed=seed)
        while table.to_move is not None and table.moves < 400:
            for text, words in table.legal():
                assert words and "{" not in words and words[0] != " "
                verbs.add(text.split()[0])
            table.play(table.thinker()())
        if seed >= 2 and wanted[name] <= verbs:
            return
    raise AssertionError(f"never legal: {wanted[name] - verbs}")


def test_a_learned_player_tells_what_it_expects(tmp_path):
    """Its opinion is the network's: a value, and chances of legal actions that sum to 1, likeliest first."""
    table = Table("torres", ["human", "greedy"], seed=3)
    state, path = table.state, tmp_path / "final.zip"
    meta = {"game": "torres", "players": 2, "rules": state.rules.to_dict(), "width": 2, "blocks": 1}
    checkpoint.save(path, meta | {"steps": 5, "seconds": 1.0}, checkpoint.build_policy(table.game, 2, 1))
    spec = f"checkpoint:{path}"
    advice = advise(spec, state)
    legal = {state.action_to_string(action) for action in state.legal_actions()}
    assert advice.value is not None
    assert {text for text, _ in advice.choices} <= legal
    likely = [chance for _, chance in advice.choices]
    assert likely == sorted(likely, reverse=True) and 0 < sum(likely) <= 1.0001
    assert advice.action == advice.choices[0][0]
    assert advice.opinion().startswith("expected return ") and advice.choices[0][0] in advice.opinion()
    _, probs = make_player(spec, state.game).judge(state)
    assert sorted(probs) == state.legal_actions() and abs(sum(probs.values()) - 1) < 1e-4
    assert advise("greedy", state).opinion() == ""


@pytest.mark.parametrize("spec", ["planner", "mcts:sims=20"])
def test_players_that_search_tell_their_best_turns(spec):
    table = Table("torres", ["human", "greedy"], seed=3)
    advice = advise(spec, table.state)
    assert (advice.unit, advice.value) == ("points", None)
    assert 1 < len(advice.choices) <= 5
    assert advice.choices[0][0].split(", ")[0] == advice.action
    assert advice.opinion().startswith(f"points: {advice.choices[0][0]} (")
