from stt_server.alternatives import likely_alternatives
from stt_server.transcript import ScoredText

FIRST = ScoredText("Add eggs to the shopping list.", -0.2)


def texts(*others: ScoredText) -> list[str]:
    return [alternative.text for alternative in likely_alternatives(FIRST, others)]


def test_the_likeliest_come_first():
    far, near = (
        ScoredText("Add legs to the shopping list.", -0.6),
        ScoredText("Add eggs to this shopping list.", -0.3),
    )

    assert texts(far, near) == [near.text, far.text]


def test_a_difference_in_spelling_only_makes_no_alternative():
    assert (
        texts(ScoredText("add eggs to the shopping list", -0.3), ScoredText("Add Eggs, to the shopping list!", -0.4))
        == []
    )


def test_lists_each_alternative_once():
    legs, again = "Add legs to the shopping list.", "add legs to the shopping list"

    assert texts(ScoredText(legs, -0.3), ScoredText(again, -0.4)) == [legs]


def test_leaves_out_much_less_likely_texts():
    assert texts(ScoredText("Add legs to the shopping list.", -0.71)) == []


def test_leaves_out_texts_of_low_confidence():
    unlikely = ScoredText("Ad ax.", -1.1)

    assert likely_alternatives(ScoredText("Ad ex.", -0.9), [unlikely]) == ()
    assert texts(ScoredText("Add eggs. Add eggs.", -0.3), ScoredText("", -0.3)) == []


def test_leaves_out_texts_that_omit_a_part_of_the_speech():
    first = ScoredText("What time is it? What is the capital of France?", -0.2)

    assert likely_alternatives(first, [ScoredText("What time is it?", -0.4)]) == ()


def test_limits_the_number_of_alternatives():
    names = ("tea", "ham", "jam", "rum", "rye", "oil")

    assert len(texts(*(ScoredText(f"Add {name} to the shopping list.", -0.3) for name in names))) == 4
