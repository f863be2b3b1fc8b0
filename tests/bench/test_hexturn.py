"""The bench of hex turns in small: a move order is looked up, not searched for (python -m tests.bench.hexturn: the figures)."""

from tests.bench.hexturn import measure


def test_an_order_costs_a_small_part_of_all_options() -> None:
    r = measure(40)
    assert r.options > 9000 and r.all > 20 * r.order, r
    assert r.order < 10, "0.5 ms on an idle machine; tests share theirs"
