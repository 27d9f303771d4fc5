"""The one expected failure: the language model cannot be started."""


class StartError(Exception):
    """Its message is one sentence that says what to do."""
