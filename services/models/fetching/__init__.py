"""Fetches the models that `models.json` names. It checks and resumes files, and installs only complete ones."""
