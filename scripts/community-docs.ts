import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CommunityData, loadCommunity } from '../api/src/language/community/community.ts';
import { readCommunityFile } from '../api/src/language/community/community-language.ts';
import { createCommunityWords } from '../api/src/language/community/community-words.ts';
import { markdownTable, writtenPart } from './written-part.ts';

/** The abilities of Hearth that the community has sentences for: each with its intents. */
const abilities: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  timers: {
    set: ['HassStartTimer'],
    cancel: ['HassCancelTimer', 'HassCancelAllTimers'],
    change: ['HassIncreaseTimer', 'HassDecreaseTimer'],
    pause: ['HassPauseTimer', 'HassUnpauseTimer'],
    ask: ['HassTimerStatus'],
  },
  lists: {
    add: ['HassShoppingListAddItem'],
    'take off': ['HassShoppingListCompleteItem'],
    'other lists': ['HassListAddItem'],
  },
  clock: { time: ['HassGetCurrentTime'], date: ['HassGetCurrentDate'] },
  'never mind': { all: ['HassNevermind'] },
  announcements: { all: ['HassBroadcast'] },
};

const { sentences: own } = readCommunityFile(
  fileURLToPath(new URL('../api/languages/community.yaml', import.meta.url)),
);

/** The languages of the community that can be chosen. */
export const communityTags = Object.keys(own);

let packageFolder: string | undefined;

/** The folder of the Python package that the tests use. */
export function communityFolder(): string {
  packageFolder ??= findPackage();
  return `${packageFolder}/data`;
}

function findPackage(): string {
  const python = fileURLToPath(new URL('../.venv/bin/python', import.meta.url));
  const find = 'import home_assistant_intents as it; print(it.__path__[0])';
  return execFileSync(python, ['-c', find], { encoding: 'utf8' }).trim();
}

/** The data of a language. */
export function communityData(tag: string): CommunityData {
  return loadCommunity(`${communityFolder()}/${tag}.json`);
}

const hasSentences = ({ language, intents }: CommunityData, intent: string) =>
  !own[language]?.unbound.includes(intent) &&
  intents[intent]?.data.some(({ sentences }) => sentences.length > 0) === true;

/** The intents that this language has no sentences for. */
export function missingIntents(data: CommunityData): string[] {
  const all = Object.values(abilities).flatMap((parts) => Object.values(parts).flat());
  return all.filter((intent) => !hasSentences(data, intent));
}

/** The intents whose response has no words that we can read: Hearth then says "done". */
export function missingResponses(data: CommunityData): string[] {
  const sentences = own[data.language];
  if (!sentences) return [];
  const words = createCommunityWords(data, sentences);
  const slots = { ...words.slotsOf(5_430_000), name: 'x', item: 'x', area: 'x', canceled: 2 };
  const told = ['Start', 'Cancel', 'CancelAll', 'Increase', 'Decrease', 'Pause', 'Unpause'].map((verb) =>
    verb === 'CancelAll' ? 'HassCancelAllTimers' : `Hass${verb}Timer`,
  );
  const spoken = [...told, 'HassShoppingListAddItem', 'HassListAddItem', 'HassBroadcast'];
  return spoken.filter((intent) => {
    const blocks = data.intents[intent]?.data ?? [];
    return blocks.length > 0 && words.response(intent, blocks.at(-1)?.response ?? 'default', slots) === null;
  });
}

/** The abilities of a language: "yes", "-", or the parts that it has. */
export function abilitiesIn(data: CommunityData): Record<string, string> {
  const cells = Object.entries(abilities).map(([ability, parts]) => {
    const has = Object.entries(parts).filter(([, intents]) =>
      intents.every((intent) => hasSentences(data, intent)),
    );
    if (has.length === 0) return [ability, '-'];
    return [ability, has.length === Object.keys(parts).length ? 'yes' : has.map(([name]) => name).join(', ')];
  });
  return Object.fromEntries(cells);
}

const nameOf = new Intl.DisplayNames(['en'], { type: 'language' });

/** The table of the languages of the community, for docs/languages.md. */
export const communityPart = writtenPart({
  page: 'languages.md',
  from: 'home-assistant-intents',
  text: () =>
    markdownTable(
      ['tag', 'language', ...Object.keys(abilities)],
      communityTags.map((tag) => [
        `\`${tag}\``,
        nameOf.of(tag) ?? tag,
        ...Object.values(abilitiesIn(communityData(tag))),
      ]),
    ),
});
