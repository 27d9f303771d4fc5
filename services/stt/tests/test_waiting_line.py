import pytest
from stt_server.waiting_line import WaitingLine, urgency_of


def line(*entries: tuple[str, int]) -> WaitingLine[str]:
    waiting: WaitingLine[str] = WaitingLine()
    for arrival, (name, urgency) in enumerate(entries):
        waiting.add(name, urgency=urgency, arrival=arrival)
    return waiting


def served(waiting: WaitingLine[str]) -> list[str]:
    return [waiting.next() for _ in range(len(waiting))]


def test_serves_equals_in_the_order_of_arrival():
    assert served(line(("a", 3), ("b", 3), ("c", 3))) == ["a", "b", "c"]


def test_a_spoken_turn_goes_before_the_background():
    assert served(line(("memo", 6), ("turn", 1), ("memo 2", 6), ("turn 2", 1))) == ["turn", "turn 2", "memo", "memo 2"]


def test_an_item_that_is_put_back_keeps_its_place():
    waiting = line(("long", 3), ("next", 3))

    waiting.add(waiting.next(), urgency=3, arrival=0)

    assert served(waiting) == ["long", "next"]


def test_a_removed_item_is_not_served():
    waiting = line(("a", 3), ("b", 1), ("c", 3))

    assert waiting.remove("a")
    assert not waiting.remove("a")
    assert served(waiting) == ["b", "c"]


def test_an_empty_line_has_no_next_item():
    with pytest.raises(IndexError):
        line().next()


@pytest.mark.parametrize(
    ("header", "urgency"),
    [
        (None, 3),
        ("", 3),
        ("u=0", 0),
        ("u=7", 7),
        ("i, u=1", 1),
        ("u=5, i", 5),
        ("u=1;x=2", 1),
        ("u=9", 3),
        ("u=12", 3),
        ("u=-1", 3),
        ("nonsense", 3),
        ("xu=1", 3),
    ],
)
def test_reads_the_urgency_as_in_rfc_9218(header, urgency):
    assert urgency_of(header) == urgency
