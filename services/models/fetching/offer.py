"""The choices available here: the models of the list, the owner's language models, and Piper's published
voices.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .catalog import Catalog, HubSource, Kind, Model
from .errors import FetchError
from .own import OwnModel, find_own_model
from .published import known_published
from .selecting import placed, pointed_at, selected
from .store import Store

Offered = Model | OwnModel


@dataclass(frozen=True)
class Offer:
    catalog: Catalog
    store: Store
    own_folder: Path | None
    # The engines that run here. Models of other engines are managed elsewhere.
    kinds: Sequence[Kind]

    def all(self) -> list[tuple[Kind, Offered]]:
        listed: list[Model] = [*self.catalog.models.values(), *known_published(self.catalog, self.store)]
        found: list[tuple[Kind, Offered]] = [(model.kind, model) for model in listed if model.kind in self.kinds]
        return [*found, *(("llm", model) for model in self._own())] if "llm" in self.kinds else found

    def named(self, kind: str, model_id: str) -> tuple[Kind, Offered] | None:
        return next((each for each in self.all() if each[0] == kind and each[1].id == model_id), None)

    def told(self) -> list[dict[str, object]]:
        return [self._told(kind, model) for kind, model in self.all()]

    def _own(self) -> Iterable[OwnModel]:
        names = sorted(path.name for path in self.own_folder.glob("*.gguf")) if self.own_folder else []
        for name in names:
            try:
                yield find_own_model(name, self.own_folder)
            except FetchError:
                continue  # an incomplete copy or no model: no choice

    def _told(self, kind: Kind, model: Offered) -> dict[str, object]:
        common = {"kind": kind, "id": model.id, "name": model.name, "bytes": model.size_bytes}
        chosen = selected(kind, self.store)
        common["isChosen"] = chosen is not None and chosen.get("id") == model.id
        if isinstance(model, OwnModel):
            # Path of its link or copy once it is chosen.
            file = f"store/own/{model.id}"
            licence = model.summary.licence or "not said in its file"
            return {**common, "licence": licence, "languages": [], "isHere": True, "file": file, "card": None}
        file = str(placed(model, self.store).path.relative_to(self.store.root))
        here = self.store.is_ready(model)
        about = {"licence": model.licence, "languages": list(model.languages), "isHere": here}
        return {**common, **about, "file": file, "card": self._card(model)}

    def _card(self, model: Model) -> str | None:
        """Address of a voice's licence if the list does not include it."""
        source = model.sources[0]
        if model.id in self.catalog.models or not isinstance(source, HubSource):
            return None
        return f"https://huggingface.co/{source.repo}/blob/{source.revision}/{source.folder}/MODEL_CARD"


def runs(kind: Kind, store: Store) -> str:
    """Name of the model that an engine uses, for a sentence."""
    entry = selected(kind, store)
    name = entry.get("name") if entry else None
    return name if isinstance(name, str) else pointed_at(kind, store).name
