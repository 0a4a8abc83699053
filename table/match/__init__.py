"""Whole games, filmed with known truth and shown to the pipeline: `meldwatch match`.

`script` plays the games, `laying` says where each tile lies on the table, `shots` films what hands do,
`camera` gives the pictures to a session, and `judge_match` holds what it ruled against the truth.
"""
