import { isSureOfEnd, type Transcript } from '../engines/transcript.ts';
import { createCalled } from '../language/called.ts';
import type { Language } from '../language/language.ts';
import { createMeantOverVoice } from '../language/over-its-voice.ts';
import { createSaidWord } from '../language/said-word.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { WordsForIt } from '../stages/transcribe-job.ts';
import { byLanguage } from './by-language.ts';
import type { WorkerCore } from './worker-core.ts';

/** Intents that stop an answer or a ringing timer without the name: skill and intent. */
const stops = new Set([
  'talk.stop',
  'talk.never_mind',
  'talk.HassNevermind.default',
  'timers.quiet',
  'undo.stop_it',
]);

/** Finds the words for the assistant: after its name, or after a wake word. */
export function wireWordsForIt(core: WorkerCore): WordsForIt {
  const wordsForIt = byLanguage(core.languages, (language) => wordsForItIn(language, core));
  return (turn, transcript) => wordsForIt.of(turn)(turn, transcript);
}

function wordsForItIn(language: Language, { settings, household }: WorkerCore): WordsForIt {
  const here = () => household.now({ language: language.tag });
  const skills = () => here().answers.skills;
  const isStop = (text: string): boolean => {
    const found = skills().understood(text);
    return found !== null && stops.has(`${found.skill}.${found.intent}`);
  };
  const meantOverVoice = createMeantOverVoice({
    words: language.hearing.over_its_voice,
    soundsOf: language.rules.soundsOf,
  });
  /** During its own speech, only a stop command needs no name. Short words are often misrecognized there. */
  const stopIn = (transcript: Transcript): Transcript | null => {
    if (isStop(transcript.text)) return transcript;
    const meant = meantOverVoice(transcript.text);
    return meant === null ? null : { ...transcript, text: meant, alternatives: [] };
  };
  const isRequest = async (text: string): Promise<boolean> =>
    skills().understood(text) !== null ||
    skills().asks(text) ||
    ((await here().home?.control.read(text)) ?? []).length > 0;

  /** Handles speech with a wake word in the sound, certain or not. */
  const behindWord = (transcript: Transcript, phrases: readonly string[], isDetected: boolean) => {
    const said = createSaidWord({ phrases, soundsOf: language.rules.soundsOf });
    const { request, isNear } = said(transcript.text);
    if (!isDetected && !isNear) return null;
    const alternatives = (transcript.alternatives ?? []).map((other) => ({
      ...other,
      text: said(other.text).request,
    }));
    const isSure = isSureOfEnd(transcript, request);
    return { ...transcript, text: request, isSure, alternatives, isNamed: true };
  };

  return async (turn, transcript) => {
    const { nameRule } = turn;
    const names = turn.calledBy ?? namesIn(await settings.of(turn));
    if (nameRule === 'said' || nameRule === 'near') return behindWord(transcript, names, nameRule === 'said');
    const calledIn = createCalled({
      names,
      calls: language.hearing.calls,
      soundsOf: language.rules.soundsOf,
    });
    const called = calledIn(transcript.text);
    if (called && (called.isApart || (await isRequest(called.request)))) {
      const alternatives = (transcript.alternatives ?? []).flatMap((other) => {
        const request = calledIn(other.text)?.request ?? '';
        return request === '' ? [] : [{ ...other, text: request }];
      });
      return { ...transcript, text: called.request, alternatives, isNamed: true };
    }
    const isToo = nameRule === 'not_needed' ? transcript : null;
    const meant = nameRule === 'needed_or_stop' ? stopIn(transcript) : isToo;
    return meant && { ...meant, isNamed: false };
  };
}

const namesIn = ({ names, name_spellings }: Pick<Pipeline, 'names' | 'name_spellings'>) => [
  ...names,
  ...name_spellings,
];
