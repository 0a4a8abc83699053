"""Lessons for readers; collected only where PyTorch is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.preprocess import CROP_WH, DETAILED_WH  # noqa: E402
from models.training.batches import Batch, as_batch  # noqa: E402  (these import PyTorch)
from models.training.feed import BLOCK_SIZE  # noqa: E402
from models.training.half_turns import CAREFUL, DETAILED, HalfTurnReaderNet  # noqa: E402
from models.training.lessons import (  # noqa: E402
    EXTENT,
    Larder,
    Learner,
    Lesson,
    Teach,
    crop_wh_of,
    taught_loss,
)
from models.training.nets import CarefulReaderNet  # noqa: E402
from models.training.tile_data import Samples  # noqa: E402
from models.training.train_pupils import (  # noqa: E402
    FOLLOWING,
    OF_NUMBERS,
    Pupil,
    main,
    teach_pupils,
    together,
    with_numbers_of,
)
from models.training.train_readers import teach_both  # noqa: E402
from models.training.train_tile_reader import loss_of_answers, see  # noqa: E402

HERE = torch.device("cpu")


def block(groups: int, level: int) -> Samples:
    """Every crop of one level, in groups of equal size."""
    each = BLOCK_SIZE // groups
    places = np.array([[g, i] for g in range(groups) for i in range(each)], np.int64)
    some = np.zeros(BLOCK_SIZE, np.int64)
    return Samples(
        np.full((BLOCK_SIZE, 3, 64, 48), level, np.uint8),
        np.zeros((BLOCK_SIZE, 4, 2), np.float32),
        some,
        some,
        some,
        np.zeros(BLOCK_SIZE, np.bool_),
        places,
    )


def larder_of(*given: Samples, room: int = 3) -> Larder:
    larder = Larder(HERE, room)
    for some in given:
        larder.add(some)
    return larder


def batch_of(some: Samples) -> Batch:
    return as_batch(larder_of(some).draw(1, np.random.default_rng(0)), EXTENT, disturb=False)


def test_groups_of_several_blocks_stay_apart() -> None:
    larder = larder_of(block(4, 255), block(4, 0))
    cut, *_, places = larder.draw(2, np.random.default_rng(0))
    assert sorted(set(places[:, 0].tolist())) == list(range(8))
    for group in range(8):
        assert len(set(cut[places[:, 0] == group].flatten().tolist())) == 1
    assert cut.max() == 255


def test_the_newest_blocks_are_kept() -> None:
    larder = larder_of(*(block(4, level) for level in range(5)))
    cut = larder.draw(3, np.random.default_rng(0))[0]
    assert larder.made == 5
    assert sorted(set(cut.flatten().tolist())) == [2, 3, 4]


def test_blocks_that_nobody_has_taken_out_are_not_pushed_out_by_others() -> None:
    larder = larder_of(*(block(4, level) for level in range(2)))
    assert not larder.has_enough
    larder.add(block(4, 2))
    assert larder.has_enough
    larder.draw(1, np.random.default_rng(0))
    assert not larder.has_enough


def test_a_block_of_too_many_groups_is_passed_over() -> None:
    larder = larder_of(block(BLOCK_SIZE, 9), block(BLOCK_SIZE // 128, 8), block(16, 7))
    assert len(larder) == 1
    assert larder.draw(1, np.random.default_rng(0))[0].max() == 7


def test_who_says_the_same_has_nothing_to_learn() -> None:
    torch.manual_seed(0)
    net = HalfTurnReaderNet().eval()
    batch = batch_of(block(16, 100))
    answers = see(net, batch, EXTENT)
    other = answers._replace(joint=answers.joint.flip(2))
    coloured = batch.colours >= 0
    assert taught_loss(answers, answers, coloured).item() == pytest.approx(0, abs=1e-5)
    assert taught_loss(answers, other, coloured).item() > 1e-3


def test_steps_go_downhill_and_the_average_follows() -> None:
    torch.manual_seed(0)
    learner = Learner(HalfTurnReaderNet(), HERE, rate=1e-3)
    batch = batch_of(block(16, 100))
    losses = []
    for _ in range(4):
        learner.optimizer.zero_grad()
        loss, _ = loss_of_answers(see(learner.net, batch, EXTENT), batch)
        losses.append(loss.item())
        loss.backward()
        learner.step(part=0.1)
    assert losses[-1] < losses[0]
    apart = [
        (kept - now).abs().max().item()
        for kept, now in zip(learner.averaged.parameters(), learner.net.parameters(), strict=True)
    ]
    assert 0 < max(apart) < 0.01


def test_a_loss_that_is_no_number_is_no_step() -> None:
    learner = Learner(HalfTurnReaderNet(), HERE, rate=1e-3)
    before = [p.clone() for p in learner.net.parameters()]
    (sum(p.sum() for p in learner.net.parameters()) * float("nan")).backward()
    learner.step(part=0.5)
    assert all((a == b).all() for a, b in zip(before, learner.net.parameters(), strict=True))


def check_lesson(learners: list[Learner], teach: Teach, named: set[str]) -> None:
    """Gives the same lesson twice: gradients for all, the same ones, and what was lost by name."""
    lesson = Lesson(learners, teach, blocks=2)
    samples = larder_of(block(16, 200), block(8, 90)).draw(2, np.random.default_rng(0))
    seen = []
    for _ in range(2):
        torch.manual_seed(1)
        values = lesson.give(samples).tolist()
        told = dict(zip(lesson.names, values, strict=True))
        assert named <= set(told)
        assert all(value >= 0 for value in told.values())
        grads = [p.grad for one in learners for p in one.net.parameters()]
        assert all(grad is not None for grad in grads)
        seen.append([grad.clone() for grad in grads])
    for first, second in zip(*seen, strict=True):
        torch.testing.assert_close(first, second)


def test_a_lesson_leaves_gradients_with_both_and_says_what_was_lost() -> None:
    torch.manual_seed(0)
    careful = Learner(CarefulReaderNet(), HERE, rate=1e-3)
    small = Learner(HalfTurnReaderNet(), HERE, rate=1e-3)
    told = {"class_loss", "small_class_loss", "taught"}
    check_lesson([careful, small], teach_both(careful, small), told)


def test_pupils_learn_from_teachers_that_stay_as_they_are() -> None:
    torch.manual_seed(0)
    teachers = [CarefulReaderNet().eval(), HalfTurnReaderNet().eval()]
    nets = [HalfTurnReaderNet(), HalfTurnReaderNet(CAREFUL)]
    pupils = [Pupil(Learner(net, HERE, rate=1e-3), taught_part=0.5) for net in nets]
    told = {"0_class_loss", "1_class_loss", "0_taught", "1_taught"}
    check_lesson([pupil.learner for pupil in pupils], teach_pupils(teachers, pupils), told)
    assert all(p.grad is None for net in teachers for p in net.parameters())


@pytest.mark.parametrize(("others", "is_taught"), [("tile.classes.", False), ("colour.", True)])
def test_of_teachers_for_colours_alone_no_number_is_learned(others: str, is_taught: bool) -> None:
    """Teachers that say other numbers teach nothing, and those that say other colours do."""
    torch.manual_seed(3)
    batch = batch_of(block(8, 128))
    net, teacher = HalfTurnReaderNet(), HalfTurnReaderNet().eval()
    pupil = Pupil(Learner(net, HERE, 1e-3), 0.5)
    net.eval()
    weights = net.state_dict()
    last = f"{others}1.bias" if others == "colour." else f"{others}bias"
    teacher.load_state_dict(weights | {last: weights[last] + torch.arange(len(weights[last]))})
    _, told = teach_pupils([teacher], [pupil], colours_alone=True)(batch, EXTENT)
    assert (told["0_taught"].item() > 1e-3) == is_taught


def test_who_learns_numbers_alone_keeps_all_else_but_what_follows() -> None:
    torch.manual_seed(4)
    net, other = HalfTurnReaderNet(), HalfTurnReaderNet()
    before = {name: value.clone() for name, value in net.state_dict().items()}
    learner = Learner(with_numbers_of(net, other), HERE, 1e-2)
    began = {name: value.clone() for name, value in net.state_dict().items()}
    for name, value in began.items():
        kept = other.state_dict() if name.startswith(OF_NUMBERS) else before
        assert torch.equal(value, kept[name]), name
    teacher = HalfTurnReaderNet()
    teacher.load_state_dict(before)
    batch = batch_of(block(8, 128))
    teach = teach_pupils([teacher.eval()], [Pupil(learner, 0.0)], colours_alone=True)
    loss, _ = teach(batch, EXTENT)
    loss.backward()
    learner.step(0.5)
    learned = {
        name for name, value in net.state_dict().items() if not torch.equal(value, began[name])
    }
    assert "tile.classes.weight" in learned
    assert all(name.startswith((*OF_NUMBERS, FOLLOWING)) for name in learned)


def test_without_teachers_the_truth_alone_is_learned_from() -> None:
    torch.manual_seed(0)
    pupil = Pupil(Learner(HalfTurnReaderNet(), HERE, rate=1e-3), taught_part=0.5)
    batch = batch_of(block(16, 100))
    loss, told = teach_pupils([], [pupil])(batch, EXTENT)
    torch.manual_seed(0)
    truth, _ = loss_of_answers(see(HalfTurnReaderNet(), batch, EXTENT), batch)
    assert "0_taught" not in told
    torch.testing.assert_close(loss, truth, rtol=0.2, atol=0.2)  # what is dropped out differs


def test_who_looks_at_larger_crops_learns_apart() -> None:
    nets = [HalfTurnReaderNet(CAREFUL), HalfTurnReaderNet(DETAILED)]
    assert [crop_wh_of([net]) for net in nets] == [CROP_WH, DETAILED_WH]
    with pytest.raises(ValueError, match=r"different sizes: \[\(48, 64\), \(72, 96\)\]"):
        crop_wh_of(nets)
    learners = [Learner(net, HERE, rate=1e-3) for net in nets]
    with pytest.raises(ValueError, match="different sizes"):
        Lesson(learners, teach_pupils([], [Pupil(one, 0.5) for one in learners]), blocks=2)


def test_a_lesson_for_nobody_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "any.onnx")
    with pytest.raises(SystemExit, match="somebody has to learn"):
        main(["--out", str(tmp_path), "--fonts", file, "--finder", file, "--teachers", file])


def test_teachers_say_together_what_lies_between_them() -> None:
    torch.manual_seed(0)
    batch = batch_of(block(16, 100))
    one, other = (see(HalfTurnReaderNet().eval(), batch, EXTENT) for _ in range(2))
    both = together([one, other])
    for mean, first, second in zip(both, one, other, strict=True):
        torch.testing.assert_close(mean, (first + second) / 2)
