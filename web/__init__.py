"""The dashboard and its JSON interface: what a table session shows, in a browser.

Nothing here looks at pixels or judges turns. A page gets frozen values from the session's board and
events from the log, and sends back two wishes: end the turn, and answer a question.
"""
