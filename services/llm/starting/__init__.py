"""Finds a server for the language model, tells it how to run, and starts it."""
