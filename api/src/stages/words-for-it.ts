import { isSureOfEnd, type Transcript } from '../engines/transcript.ts';
import { createCalled } from '../language/called.ts';
import type { Language } from '../language/language.ts';
import { createMeantOverVoice } from '../language/over-its-voice.ts';
import { createSaidWord } from '../language/said-word.ts';
import type { SkillResponder } from '../respond/core/skill-responder.ts';
import type { Turn } from '../turn/turn.ts';

/** Intents that stop an answer or a ringing timer without the name: skill and intent. */
const stops = new Set([
  'talk.stop',
  'talk.wait',
  'talk.never_mind',
  'talk.HassNevermind.default',
  'timers.quiet',
  'undo.stop_it',
]);

interface WordsForItOptions {
  language: Pick<Language, 'hearing' | 'rules'>;
  /** The assistant's names when the turn began, with their spellings by speech recognition. */
  namesOf: (turn: Pick<Turn, 'revision'>) => Promise<readonly string[]>;
  skills: () => Pick<SkillResponder, 'understood' | 'asks'>;
  /** Whether a sentence is a command or a question to the house. */
  isForHome: (text: string) => Promise<boolean>;
}

/**
 * Returns the words for the assistant without its name, by the turn's name rule. Null: they are not for it.
 */
export type WordsForIt = (
  turn: Pick<Turn, 'nameRule' | 'calledBy' | 'revision' | 'language'>,
  transcript: Transcript,
) => Promise<(Transcript & { isNamed: boolean }) | null>;

/** Whether the words are a remark that no rule answers, instead of a question or a request. */
export type IsRemark = (turn: Turn, text: string, signal: AbortSignal) => Promise<boolean>;

/** Finds the words for the assistant: after its name, or after a wake word. */
export function createWordsForIt({ language, namesOf, skills, isForHome }: WordsForItOptions): WordsForIt {
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
    const meant = meantOverVoice(transcript.text, transcript.phrases);
    return meant === null ? null : { ...transcript, text: meant, alternatives: [] };
  };
  const isRequest = async (text: string): Promise<boolean> =>
    skills().understood(text) !== null || skills().asks(text) || (await isForHome(text));

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
    const names = turn.calledBy ?? (await namesOf(turn));
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
    const isToo = nameRule === 'not_needed' || nameRule === 'request' ? transcript : null;
    const meant = nameRule === 'needed_or_stop' ? stopIn(transcript) : isToo;
    return meant && { ...meant, isNamed: false };
  };
}
