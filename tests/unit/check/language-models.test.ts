import { expect, test } from 'vitest';
import { createLanguageModels } from '../../../api/src/check/language-models.ts';
import type { EngineStatus } from '../../../api/src/status/engine-status.ts';
import type { ModelFiles } from '../../../api/src/status/model-files.ts';

const ready = (model: string, languages?: string[]): EngineStatus => ({
  ...{ state: 'ready', reason: null, since: 0, model },
  ...(languages && { languages }),
});
const selected = (llm: string[]): ModelFiles => {
  const model = (languages: string[]) => ({ id: 'one', name: 'One', languages });
  const models = { llm: model(llm), stt: model(['en']), tts: model(['en']) };
  return { progress: null, selection: { requested: 'tiny', size: 'tiny', note: null, models } };
};

interface Household {
  stt?: EngineStatus | undefined;
  tts?: EngineStatus | undefined;
  files?: ModelFiles;
  /** The tags that a voice speaks. */
  voices?: string[];
}

/** A household of German and English with these models. */
function householdOf({ stt, tts, files = selected(['en', 'multilingual']), voices = [] }: Household) {
  return createLanguageModels({
    tags: ['de', 'en'],
    engine: (name) => ({ stt, tts })[name],
    files: () => files,
    hasVoice: (tag) => voices.includes(tag),
  });
}

const recognition = {
  name: 'recognition_language',
  message: 'The speech recognition (whisper-base.en) does not know German.',
  advice: 'Download a model of many languages: "make models STT_MODEL=whisper-small".',
};

test.each<[string, Household, object[]]>([
  ['a recognition that knows only English', { stt: ready('whisper-base.en', ['en']) }, [recognition]],
  ['a recognition that knows both', { stt: ready('whisper-small', ['de', 'en', 'fr']) }, []],
  ['a recognition that does not tell its languages', { stt: ready('whisper-1') }, []],
  ['a recognition that is loading', { stt: { ...ready('x', ['en']), state: 'loading' } }, []],
  [
    'a recognition of another server',
    { stt: ready('tiny.en', ['en']), files: { progress: null, selection: null } },
    [
      {
        ...recognition,
        message: 'The speech recognition (tiny.en) does not know German.',
        advice: 'Choose a model of many languages on its server, such as whisper-small.',
      },
    ],
  ],
  [
    'voices of no language of theirs',
    { tts: ready('it_IT-paola-medium') },
    [
      {
        name: 'voice_language',
        message: 'No voice speaks German and English, so espeak-ng does, which sounds mechanical.',
        advice: 'Download one on the page: Settings, For experts, Voices.',
      },
    ],
  ],
  ['voices of both', { tts: ready('one'), voices: ['de', 'en'] }, []],
  ['no speech', {}, []],
  [
    'a language model that knows only English',
    { files: selected(['en']) },
    [expect.objectContaining({ message: 'The language model (One) does not know German.' })],
  ],
])('a household with %s is told of what is missing', (_, household, expected) => {
  expect(householdOf(household).gaps()).toEqual(expected);
});

test('the check warns of all gaps in one finding', () => {
  const found = householdOf({ stt: ready('base.en', ['en']), tts: ready('one'), voices: ['en'] }).find();

  expect(found).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/does not know German\. No voice speaks German, /),
    advice: expect.stringMatching(/whisper-small".*Voices\.$/),
  });
  expect(householdOf({}).find()).toMatchObject({ state: 'ok' });
});
