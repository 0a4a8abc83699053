"""Getting to know a maker's set from photographs of all its tiles laid out in rows.

    photographs -> rows -> which tile is which -> features of them, seen otherwise too -> known set

`laying` tells what lies where and what is wrong with it (`alignment`, `colouring`, `gaps`), `otherwise`
makes other views of the photographs, `likeness` (by `logistic` regression) and `known_set` hold what is
learned and correct readings by it, and `enrolling` leads through all of it. `measure` says what it is
worth, on pictures of `scenes`.
"""
