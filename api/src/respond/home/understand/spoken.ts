import type { Match } from '../../../language/grammar/matcher.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import { joinedWords, type Word } from '../../../language/grammar/words.ts';
import type { HomeWords, Kind } from './home-words.ts';
import { said } from './rephrasings.ts';
import type { Target } from './target.ts';
import type { TargetReader } from './target-reader.ts';
import type { HouseSentence } from './understood.ts';

/** Slots that hold a target, with its allowed kinds. */
const targetSlots: Readonly<Record<string, readonly Kind[] | null>> = {
  any: null,
  light: ['light'],
  cover: ['cover', 'lock'],
  // "Lock up" must not open a lock.
  shade: ['cover'],
  lock: ['lock', 'cover'],
  media: ['media'],
  power: ['power'],
  machine: ['machine'],
  scene: ['scene'],
  heat: ['climate'],
};
/** "Turn up the air conditioning" may mean cooler, so here only targets of exactly one kind count. */
const ofOneKind = new Set(['heat']);

/** A room may stand for its things of these kinds. */
const ofRooms = new Set(['cover', 'shade', 'lock']);

/** The same slots for the known entities. */
export function targetSlotsOf(targets: Pick<TargetReader, 'read'>): Readonly<Record<string, SlotType>> {
  const slotOf = (name: string, wanted: readonly Kind[] | null): SlotType => {
    const isWanted = ({ kinds, isRoom }: Target) => {
      // A room stands for the things that the verb is for: a cellar is locked, and not turned on.
      if (isRoom) return ofRooms.has(name) && kinds[0] === wanted?.[0];
      return wanted === null || kinds.some((kind) => wanted.includes(kind));
    };
    return {
      ends: (words, from) => {
        const all = targets.read(words, from);
        const others = ofOneKind.has(name) ? all.filter((target) => !isWanted(target)) : [];
        return all
          .filter((target) => isWanted(target) && others.every(({ end }) => end !== target.end))
          .map(({ end }) => end);
      },
    };
  };
  return Object.fromEntries(
    Object.entries(targetSlots).map(([name, wanted]) => [name, slotOf(name, wanted)]),
  );
}

const valueSlots = ['value', 'level', 'amount', 'color', 'kelvin'];

/** Kinds that most rooms have. */
const inRooms: readonly Kind[] = ['light', 'cover', 'climate'];

/** The target of a sentence, its place and the value to set. */
export interface Spoken {
  text: string;
  /** The words for the target. */
  at: readonly Word[];
  target: Target | undefined;
  /** The room or floor anywhere in the sentence; '' for none. */
  area: string;
  /** All of the kind in the house. */
  isEverywhere: boolean;
  /** The value to set it to. */
  value: string;
  valueAt: readonly Word[];
  canResay: boolean;
}

interface SpokenOptions {
  data: HomeWords;
  targets: TargetReader;
}

/** Finds the target in a matched sentence. */
export function createSpokenReader({ data, targets }: SpokenOptions) {
  const house = new Set([...data.house, ...data.everywhere]);

  const placeOf = ({ slots }: Match, at: readonly Word[], target: Target | undefined) => {
    const place = target?.place ?? null;
    const within = place === null || typeof place === 'string' ? [] : at.slice(place.from, place.to);
    const words = slots.get('area') ?? slots.get('floor') ?? within;
    const isHouse =
      place === 'everywhere' || house.has(joinedWords(words)) || (slots.has('whole') && words.length === 0);
    return { words: isHouse ? [] : words, isHouse };
  };

  const idle = new Set([...data.in, ...data.one, ...data.only]);
  const within = new Set(data.in);
  /** The target in "on the plug" and "only one lamp". */
  const thingIn = (at: readonly Word[]): readonly Word[] => {
    // "The TV in" is incomplete.
    if (within.has(at.at(-1)?.word ?? '')) return [];
    const from = at.findIndex(({ word }) => !idle.has(word));
    const words = from < 0 ? [] : at.slice(from);
    return from > 0 ? targets.bare(words) : words;
  };

  const textsOf = ({ text, at, target, area, isEverywhere }: Spoken) => {
    const named = target === undefined ? thingIn(targets.bare(at)) : targets.bare(at);
    const bare = target?.isRoom === true ? '' : said(text, named);
    // "The lamp in the den": the den is unknown, but the person means no other room.
    const saysWhere = target === undefined && named.some(({ word }) => within.has(word));
    const isPlaced = saysWhere || target?.isPlaced === true || area !== '' || isEverywhere;
    const isOfRoom =
      target?.place === 'here' || target?.kinds.every((kind) => inRooms.includes(kind)) === true;
    const { device } = target ?? { device: null };
    return {
      head: device ? said(text, at.slice(device.from, device.to)) : bare,
      target: said(text, at),
      bare,
      place: area,
      kinds: target?.kinds ?? [],
      isPlaced,
      isNamed: target?.isNamed === true,
      isEverywhere,
      isSpecial: target?.isSpecial === true,
      needsRoom: !isPlaced && isOfRoom,
    } satisfies Partial<HouseSentence>;
  };

  return (text: string, match: Match, all: readonly Word[]) => {
    const { slots } = match;
    const name = Object.keys(targetSlots).find((each) => slots.has(each));
    const at = slots.get(name ?? 'thing') ?? [];
    const read = name === undefined ? undefined : largest(targets.read(at, 0), at.length);
    // "Everything off in here", where the place is no part of the target.
    const isOfRoom = read?.place === null && targets.endsHere(all);
    const target: Target | undefined = read && isOfRoom ? { ...read, place: 'here' } : read;
    const { words, isHouse } = placeOf(match, at, target);
    const isHere = target?.place === 'here';
    const spoken: Spoken = {
      ...{ text, at, target, area: said(text, words) },
      isEverywhere: isHouse || (target?.isAll === true && words.length === 0 && !isHere),
      value: said(text, valueSlots.map((slot) => slots.get(slot)).find(Boolean)),
      valueAt: slots.get('value') ?? [],
      canResay: target !== undefined && !(target.isNamed && target.kinds.every((kind) => kind === 'scene')),
    };
    const isUnknown = name === undefined && at.length > 0;
    return { spoken, texts: { ...textsOf(spoken), area: said(text, slots.get('area')), isUnknown } };
  };
}

/** The best reading of a whole target. A word may have several kinds: a door can be opened and locked. */
function largest(read: readonly Target[], end: number): Target | undefined {
  const whole = read.filter((target) => target.end === end);
  const best = whole.find(({ isNamed }) => isNamed) ?? whole.find(({ isPlaced }) => isPlaced) ?? whole[0];
  const alike = whole.filter(({ isNamed }) => isNamed === best?.isNamed);
  return best && { ...best, kinds: [...new Set(alike.flatMap(({ kinds }) => kinds))] };
}
