"""The one expected failure."""


class StartError(Exception):
    """The message is one sentence that says what to do."""
