"""Prints sentences from the templates of home-assistant-intents, and hassil's readings of them.

Usage: python sample.py COUNT LANGUAGE. It writes a line of JSON with the house and the language's file, then
one line per sentence. Each has the text, the room, and all readings. Every other sentence lacks or repeats a
word, so that not all of them are whole. The same arguments give the same lines.
"""

import json
import random
import sys
from importlib.resources import files
from itertools import islice

from hassil.expression import Alternative, Group, ListReference, Permutation, RuleReference, Sequence, TextChunk
from hassil.intents import Intents, RangeSlotList, TextSlotList, WildcardSlotList
from hassil.recognize import recognize_all

# A small house. Each name is a thing of one domain, as Home Assistant tells its matcher.
NAMES = {
    "Lumo": "light",
    "Nordlampe Zwei": "light",
    "Velux": "cover",
    "Presto": "todo",
    "Robo": "vacuum",
    "Klimax": "climate",
    "Sonora": "media_player",
    "Ventus": "fan",
    "Clavis": "lock",
    "Solea": "scene",
}
AREAS = ["Atrium", "Salon Vert"]
FLOORS = ["Mezzanin"]
ANYTHING = ["pizza", "oliva verde", "bruno"]
# Readings beyond this number of an ambiguous sentence do not matter.
MAX_READINGS = 40


class Sampler:
    def __init__(self, chance: random.Random, lists: dict, rules: dict) -> None:
        self.chance, self.lists, self.rules = chance, lists, rules

    def say(self, part, required: dict) -> str:
        if isinstance(part, TextChunk):
            return part.original_text
        if isinstance(part, Alternative):
            return self.say(self.chance.choice(part.items), required)
        if isinstance(part, Permutation):
            parts = list(part.items)
            self.chance.shuffle(parts)
            return "".join(self.say(each, required) for each in parts)
        if isinstance(part, (Sequence, Group)):
            return "".join(self.say(each, required) for each in part.items)
        if isinstance(part, RuleReference):
            return self.say(self.rules[part.rule_name].expression, required)
        assert isinstance(part, ListReference)
        return self.value(self.lists[part.list_name], required)

    def value(self, found, required: dict) -> str:
        if isinstance(found, WildcardSlotList):
            return self.chance.choice(ANYTHING)
        if isinstance(found, RangeSlotList):
            return str(self.chance.choice(list(found.get_numbers())))
        assert isinstance(found, TextSlotList)
        domains = required.get("domain")
        fit = [each for each in found.values if not (domains and each.context) or each.context["domain"] in domains]
        return self.say(self.chance.choice(fit or found.values).text_in, required)


def names_of(house: dict) -> dict:
    things = [(name, name, {"domain": domain}) for name, domain in house["names"].items()]
    return {
        "name": TextSlotList.from_tuples(things, allow_template=False),
        "area": TextSlotList.from_strings(house["areas"], allow_template=False),
        "floor": TextSlotList.from_strings(house["floors"], allow_template=False),
    }


def changed(text: str, chance: random.Random) -> str:
    """The sentence with a word left out or said twice."""
    words = text.split()
    at = chance.randrange(len(words)) if words else 0
    return " ".join(words[:at] + words[at + 1 :] if chance.random() < 0.7 else words[:at] + words[at : at + 1] + words[at:])


def reading(result) -> dict:
    return {"intent": result.intent.name, "slots": {name: found.value for name, found in result.entities.items()}}


def main() -> None:
    count, language = sys.argv[1:]
    house = {"names": NAMES, "areas": AREAS, "floors": FLOORS}
    path = files("home_assistant_intents") / "data" / f"{language}.json"
    print(json.dumps({"house": house, "data": str(path)}))
    data = json.loads(path.read_text("utf-8"))
    # Our ranges take digits.
    for found in data["lists"].values():
        if "range" in found:
            found["range"]["words"] = False
    intents = Intents.from_dict(data)
    lists = {**intents.slot_lists, **names_of(house)}
    chance = random.Random(language)
    sampler = Sampler(chance, lists, intents.expansion_rules)
    blocks = [block for intent in intents.intents.values() for block in intent.data]
    for number in range(int(count)):
        block = chance.choice(blocks)
        text = sampler.say(chance.choice(block.sentences).expression, block.requires_context)
        text = " ".join(text.split())
        if number % 2:
            text = changed(text, chance)
        area = AREAS[0] if "area" in block.requires_context else None
        context = {"area": area} if area else {}
        found = recognize_all(text, intents, slot_lists=lists, intent_context=context, language=language)
        readings = [reading(each) for each in islice(found, MAX_READINGS)]
        line = {"language": language, "text": text, "area": area, "readings": readings}
        print(json.dumps(line, ensure_ascii=False))


main()
