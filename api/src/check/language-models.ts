import type { EngineStatus } from '../status/engine-status.ts';
import type { ModelFiles } from '../status/model-files.ts';
import { languageCodeOf } from '../turn/language-code.ts';
import { type Finding, fine, warning } from './step.ts';

interface LanguageModelsOptions {
  /** The tags of the household's languages. */
  tags: readonly string[];
  engine: (name: 'stt' | 'tts') => EngineStatus | undefined;
  files: () => ModelFiles;
  /** Whether a voice of the server speaks the language. */
  hasVoice: (tag: string, voice: EngineStatus) => boolean;
}

/** A warning for people. */
interface LanguageGap {
  name: 'language' | 'time_zone' | 'recognition_language' | 'voice_language' | 'model_language';
  message: string;
  advice: string;
}

export type LanguageModels = ReturnType<typeof createLanguageModels>;

const names = new Intl.DisplayNames(['en'], { type: 'language' });
const list = new Intl.ListFormat('en', { type: 'conjunction' });
const listed = (tags: readonly string[]) => list.format(tags.map((tag) => names.of(tag) ?? tag));

/** Warns that the chosen language needs a restart. `now`: the language that this process speaks. */
export function newLanguage(now: string, chosen: string, offered: readonly string[]): LanguageGap[] {
  if (chosen === now || !offered.includes(chosen)) return [];
  return [
    {
      name: 'language',
      message: `Hearth speaks ${listed([now])}. After a restart it speaks ${listed([chosen])}.`,
      advice: 'Restart it on the page: Settings, Language.',
    },
  ];
}

/** Warns that the chosen time zone needs a restart. `now`: the time zone that this process uses. */
export function newTimeZone(now: string, chosen: string): LanguageGap[] {
  if (chosen === now) return [];
  return [
    {
      name: 'time_zone',
      message: `Hearth uses the time of ${now}. After a restart it uses that of ${chosen}.`,
      advice: 'Restart it on the page: Settings, Time and quiet hours.',
    },
  ];
}

/** Finds the household's languages that a running model does not know. */
export function createLanguageModels({ tags, engine, files, hasVoice }: LanguageModelsOptions) {
  /** A model whose languages are unknown may know each. */
  const unknownTo = (known: readonly string[] = []): readonly string[] =>
    known.length === 0 || known.includes('multilingual')
      ? []
      : tags.filter((tag) => !known.includes(languageCodeOf(tag) ?? tag));
  const whenReady = (name: 'stt' | 'tts'): EngineStatus | undefined => {
    const status = engine(name);
    return status?.state === 'ready' ? status : undefined;
  };

  const recognition = () => ({
    name: 'recognition_language' as const,
    missing: unknownTo(whenReady('stt')?.languages),
    message: (languages: string) =>
      `The speech recognition (${engine('stt')?.model}) does not know ${languages}.`,
    advice: files().selection?.models.stt
      ? 'Download a model of many languages: "make models STT_MODEL=whisper-small".'
      : 'Choose a model of many languages on its server, such as whisper-small.',
  });

  const voice = () => {
    const status = whenReady('tts');
    return {
      name: 'voice_language' as const,
      missing: status ? tags.filter((tag) => !hasVoice(tag, status)) : [],
      message: (languages: string) =>
        `No voice speaks ${languages}, so espeak-ng does, which sounds mechanical.`,
      advice: files().selection?.models.tts
        ? 'Download one on the page: Settings, For experts, Voices.'
        : 'Add one to the speech server.',
    };
  };

  const languageModel = () => {
    const { languages, name } = files().selection?.models.llm ?? {};
    return {
      name: 'model_language' as const,
      missing: unknownTo(languages),
      message: (unknown: string) => `The language model (${name}) does not know ${unknown}.`,
      advice: 'Download a model of many languages: "make models LLM_MODEL=qwen3-4b-instruct-2507-q4_k_m".',
    };
  };

  const gaps = (): LanguageGap[] =>
    [recognition(), voice(), languageModel()]
      .filter(({ missing }) => missing.length > 0)
      .map(({ name, missing, message, advice }) => ({ name, message: message(listed(missing)), advice }));

  return {
    gaps,
    /** For the check: all gaps in one finding. */
    find(): Finding {
      const found = gaps();
      if (found.length === 0) return fine(`${listed(tags)}: no model says that it does not know it.`);
      const messages = found.map(({ message }) => message);
      return warning(messages.join(' '), found.map(({ advice }) => advice).join(' '));
    },
  };
}
