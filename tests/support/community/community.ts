import { z } from 'zod';
import { type CommunityData, communityGrammar } from '../../../api/src/language/community/community.ts';
import { createAutomaton } from '../../../api/src/language/grammar/automaton.ts';
import {
  createList,
  type List,
  type ListData,
  slotTypesIn,
} from '../../../api/src/language/grammar/lists.ts';
import { createMatcher } from '../../../api/src/language/grammar/matcher.ts';
import { createTemplateParser, type Template } from '../../../api/src/language/grammar/template.ts';
import { createWordReader, type Word } from '../../../api/src/language/grammar/words.ts';

const houseSchema = z.object({
  names: z.record(z.string(), z.string()),
  areas: z.array(z.string()),
  floors: z.array(z.string()),
});

type House = z.infer<typeof houseSchema>;

interface Reading {
  intent: string;
  slots: Record<string, unknown>;
}

type Block = CommunityData['intents'][string]['data'][number] & { intent: string };

/** Reads the sentences of a language and a house with our grammar. */
export function createCommunity(data: CommunityData, houseData: unknown) {
  const house = houseSchema.parse(houseData);
  const readWords = createWordReader(communityGrammar(data));
  const parse = createTemplateParser({ rules: data.expansion_rules });
  const blocks = Object.entries(data.intents).flatMap(([intent, { data: all }]): Block[] =>
    all.map((block) => ({ ...block, intent })),
  );
  const { listOf, domainsKey } = listsOf({ ...data.lists, ...placesOf(house) }, house, { parse, readWords });

  /** Reads sentences with or without a known room. */
  const readerIn = (isInRoom: boolean) => {
    const usable = blocks.filter(({ requires_context: { area } }) => !area || isInRoom);
    const sentences = usable.flatMap((block) =>
      block.sentences.map((text) => ({ block, template: typed(parse(text), domainsKey(block)) })),
    );
    const kinds = new Set(sentences.flatMap(({ template }) => [...typesIn(template)]));
    const slotTypes = Object.fromEntries([...kinds].map((kind) => [kind, listOf(kind).type]));
    const { isNumber } = slotTypesIn(slotTypes);
    const states = createAutomaton(
      sentences.map(({ template }) => template),
      { readWords, isNumber },
    );
    const matcher = createMatcher({
      automaton: { states: () => states },
      before: [],
      after: [],
      skips: data.skip_words.map(createTemplateParser({ rules: {} })),
      readWords,
      slotTypes,
    });
    return (text: string, area: string | null): Reading | null => {
      const match = matcher.match(readWords(text));
      const found = match && sentences[match.sentence];
      if (!found) return null;
      const { block, template } = found;
      const said = [...match.slots].map(([name, words]) => [name, meaningOf(template, name, words)]);
      const here = block.requires_context.area ? { area } : {};
      return {
        intent: block.intent,
        slots: { ...here, ...block.slots, ...Object.fromEntries(said) },
      };
    };
  };
  const meaningOf = (template: Template, name: string, words: readonly Word[]): unknown => {
    for (const kind of typesIn(template, name)) {
      const value = listOf(kind).valueOf(words);
      if (value !== null) return value;
    }
    return null;
  };

  const anywhere = readerIn(false);
  const inRoom = readerIn(true);
  return {
    read: (text: string, area: string | null) => (area === null ? anywhere : inRoom)(text, area),
  };
}

function placesOf({ areas, floors }: House): Record<string, ListData> {
  const values = (all: readonly string[]) => ({
    values: all.map((name) => ({ in: name, out: name, context: {} })),
  });
  return { area: values(areas), floor: values(floors) };
}

/** The lists by slot type. "name?light,fan" means the things of these domains. */
function listsOf(
  lists: Readonly<Record<string, ListData>>,
  house: House,
  options: Parameters<typeof createList>[1],
) {
  const made = new Map<string, List>();
  const dataOf = (kind: string): ListData => {
    const [name = '', domains] = kind.split('?');
    if (name !== 'name') {
      const list = lists[name];
      if (!list) throw new Error(`there is no list ${name}`);
      return list;
    }
    const fits = (domain: string) => domains === undefined || domains.split(',').includes(domain);
    const things = Object.entries(house.names).filter(([, domain]) => fits(domain));
    return { values: things.map(([thing]) => ({ in: thing, out: thing, context: {} })) };
  };
  return {
    listOf(kind: string): List {
      const list = made.get(kind) ?? createList(dataOf(kind), options);
      made.set(kind, list);
      return list;
    },
    domainsKey: ({ requires_context: { domain } }: Block) => (domain ? `?${domain.join()}` : ''),
  };
}

/** The template with the type of {name} narrowed. */
function typed(template: Template, narrow: string): Template {
  if (template.kind === 'slot')
    return template.type === 'name' ? { ...template, type: `name${narrow}` } : template;
  if (template.kind === 'choice')
    return { ...template, options: template.options.map((each) => typed(each, narrow)) };
  if (template.kind === 'row' || template.kind === 'permutation')
    return { ...template, parts: template.parts.map((each) => typed(each, narrow)) };
  return template;
}

function typesIn(template: Template, slot?: string): Set<string> {
  if (template.kind === 'slot')
    return new Set(slot === undefined || template.name === slot ? [template.type] : []);
  const parts = template.kind === 'choice' ? template.options : 'parts' in template ? template.parts : [];
  return new Set(parts.flatMap((part) => [...typesIn(part, slot)]));
}
