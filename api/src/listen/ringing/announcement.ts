import type { Pcm } from '../../audio/pcm.ts';
import type { Clock } from '../../clock.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import type { OwnVoice } from '../playback/own-voice.ts';
import type { AnswerSink } from '../utterance/speculative-turn.ts';

/** Pause before an announcement, so that the previous sound has faded. */
export const breathMs = 300;

interface AnnouncerOptions {
  clock: Clock;
  currentResponse: CurrentResponse;
  voice: Pick<OwnVoice, 'say'>;
  /** The language that is spoken there. Undefined: the household's first one. */
  language: () => string | undefined;
  newTurnId: () => string;
  isSomeoneSpeaking: () => boolean;
  isMuted: () => boolean;
}

/** Completes a response that no turn asked for. */
export function completeOwn(sink: AnswerSink | null, { text, via, sentences }: OwnWordsSaid): void {
  sink?.complete({
    text,
    heard: null,
    via,
    finish: 'stop',
    usage: null,
    timings: {},
    sentences,
  });
}

interface OwnWordsSaid {
  text: string;
  via: 'timer' | 'notice' | 'announcement';
  sentences: number;
}

/** Plays a sound without words on one satellite. Returns false if the satellite is muted or busy. */
export function createShortSound(
  options: Omit<AnnouncerOptions, 'clock' | 'voice' | 'language'> & { sound: Pcm },
) {
  const { currentResponse, sound, newTurnId, isSomeoneSpeaking, isMuted } = options;
  return (): boolean => {
    if (isMuted() || isSomeoneSpeaking() || currentResponse.isPending()) return false;
    const id = newTurnId();
    currentResponse.announce(id, () => undefined);
    currentResponse.sinkOf(id)?.speak({ seq: 0, text: '', sound });
    completeOwn(currentResponse.sinkOf(id), { text: '', via: 'notice', sentences: 1 });
    return true;
  };
}

/**
 * Says a sentence unprompted on one satellite, unless it is muted or busy. Resolves to true if it was played.
 */
export function createAnnouncer(options: AnnouncerOptions) {
  const { clock, currentResponse, voice, language, newTurnId, isSomeoneSpeaking, isMuted } = options;
  const isFree = () => !isMuted() && !isSomeoneSpeaking() && !currentResponse.isPending();

  return async (text: string): Promise<boolean> => {
    const sound = await voice.say(text, language());
    await new Promise<void>((resolve) => clock.after(breathMs, resolve));
    if (sound === null || !isFree()) return false;
    const played = Promise.withResolvers<boolean>();
    const id = newTurnId();
    currentResponse.announce(id, ({ reply }) => played.resolve(reply !== ''));
    currentResponse.sinkOf(id)?.speak({ seq: 0, text, sound });
    completeOwn(currentResponse.sinkOf(id), { text, via: 'notice', sentences: 1 });
    return played.promise;
  };
}
