"""Fetches the models that `models.json` names. Checks and resumes files; installs only complete ones."""
