"""Finds a server for the language model, configures it and starts it."""
