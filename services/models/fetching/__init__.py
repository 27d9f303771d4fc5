"""Fetches the models that `models.json` names: checked, resumable, in place only when complete."""
