import type { Sounds } from '../../audio/listener.ts';
import type { Pcm } from '../../audio/pcm.ts';
import type { AppError } from '../../errors.ts';
import type { TranscriptCandidate } from '../../turn/turn.ts';
import type { NewTurn, Played, RecordingTranscript, TurnClient } from '../../turn-client/turn-client.ts';
import type { CallRule } from './attention.ts';
import type { TranscriptClassification } from './end-silences.ts';
import { type AnsweredPart, isOneSentence, joinedWith } from './rest-of-sentence.ts';
import { createContinuation } from './second-sentence.ts';
import { type SpeculativeTurn, startSpeculativeTurn } from './speculative-turn.ts';
import { createMachine, type Transitions } from './states.ts';

type State = 'speaking' | 'pausing' | 'ended' | 'accepted' | 'over';

/** `pausing`: the end is tentative. `ended`: the end is certain, but not yet whether to answer. */
const moves: Transitions<State> = {
  speaking: ['pausing', 'ended', 'over'],
  pausing: ['speaking', 'ended', 'over'],
  ended: ['accepted', 'over'],
  accepted: ['over'],
  over: [],
};

interface UtteranceOptions {
  turnId: string;
  turnClient: Pick<TurnClient, 'startTurn'>;
  conversation: string;
  room: string | null;
  /** The tag of the language of the room. Undefined: none was chosen. */
  language?: string | undefined;
  /** Transcript of the previous utterance, if this one may continue it. */
  before: string | null;
  /** The previous utterance, if this one may be the rest of its sentence although it was answered. */
  answered: AnsweredPart | null;
  settings: { revision: number; speculates: boolean };
  /**
   * Whether it needs the assistant's name or a wake word. Without the one it needs, its transcript is empty.
   */
  rule: CallRule | undefined;
  judge: (transcript: string) => TranscriptClassification;
  /**
   * Called when there is a `transcript` or a `failure` for the speech up to the last end, tentative or
   * certain.
   */
  onMore: () => void;
  /** Doubtful words over an answer are a backchannel, not the rest of a sentence. */
  mayBeRest: (words: RecordingTranscript) => boolean;
  /** Called when it is the rest of the answered sentence, before work on the whole sentence begins. */
  onRest: () => void;
}

export type Utterance = ReturnType<typeof createUtterance>;

/**
 * One stretch of speech and the work on its answer. Work starts at each tentative end and stops if the person
 * continues.
 */
export function createUtterance(options: UtteranceOptions) {
  const { turnId, answered, settings, judge, mayBeRest, onRest } = options;
  const machine = createMachine(moves, 'speaking');
  let { rule } = options;
  let latestSounds: Sounds | null = null;
  const attempts = createAttempts(options, { ruleNow: () => rule, isOver: () => machine.state === 'over' });
  const { begin, transcribed } = attempts;
  let continuesBefore = false;
  /** The joint transcript shows that this is a second sentence. */
  let isSeparate = false;
  const continuation = createContinuation(options.before, judge);

  /**
   * Together with the previous utterance it is either one sentence, which revises the request, or a second
   * sentence.
   */
  const transcribedJoined = (words: RecordingTranscript, sounds: Sounds): void => {
    continuesBefore = continuation.isIn(words.text);
    if (continuesBefore) transcribed(words);
    else begin(sounds.sound, transcribed);
  };
  /** Transcribes the rest of an answered sentence again, together with its beginning. */
  const transcribedAlone = async (words: RecordingTranscript, rest: Sounds, part: AnsweredPart) => {
    const judged = (text: string) => ({ text, judgement: judge(text) });
    const [before, own] = [judged(part.transcript), { ...judged(words.text), sound: rest.sound }];
    const attempt = attempts.latest;
    const joined = own.text !== '' && mayBeRest(words) ? await joinedWith(part, before.judgement, own) : null;
    if (attempt !== attempts.latest) return;
    continuesBefore = joined?.isRest ?? false;
    if (joined === null) return transcribed(words);
    if (joined.isRest) onRest();
    begin(joined.sound, (whole) => {
      continuesBefore = isOneSentence({ before, words: own, whole: judged(whole.text) });
      isSeparate = !continuesBefore;
      if (isSeparate) begin(rest.sound, transcribed);
      else if (joined.isRest) transcribed(whole);
      else {
        // The work on the whole sentence read a conversation that contains the withdrawn answer.
        onRest();
        begin(joined.sound, transcribed);
      }
    });
  };
  const work = (sounds: Sounds): void => {
    latestSounds = sounds;
    if (rule?.nameRule === 'unheard') return;
    if (answered !== null && !isSeparate)
      begin(sounds.sound, (words) => void transcribedAlone(words, sounds, answered));
    else if (continuation.standsAlone() || sounds.joined === null) begin(sounds.sound, transcribed);
    else begin(sounds.joined, (words) => transcribedJoined(words, sounds));
  };

  /** Starts the work on the same sound again. */
  const restart = (): void => {
    if (latestSounds !== null) work(latestSounds);
  };

  return {
    turnId,
    get state() {
      return machine.state;
    },
    get speculation() {
      return attempts.latest;
    },
    isOpen: () => machine.state === 'speaking' || machine.state === 'pausing',
    /** Null until it is known. */
    get transcript() {
      return attempts.transcript?.text ?? null;
    },
    get isSure() {
      return attempts.transcript?.isSure === true;
    },
    get candidate(): TranscriptCandidate {
      return attempts.transcript ?? { text: '', isSure: false };
    },
    /** Its words and their sound, for an utterance that may continue. Null: not known yet. */
    get part(): Pick<AnsweredPart, 'transcript' | 'sound'> | null {
      const { transcript, sound } = attempts;
      return transcript === null || sound === null ? null : { transcript: transcript.text, sound };
    },
    /** Why there is no transcript or no answer. Null: nothing has failed. */
    get failure() {
      return attempts.failure;
    },
    /** The person said the assistant's name, which the transcript leaves out. */
    get isNamed() {
      return attempts.transcript?.isNamed === true;
    },
    standsAlone: continuation.standsAlone,
    overhear: continuation.overhear,
    /** Whether it revises the request of the previous utterance. */
    get continuesBefore() {
      return continuesBefore;
    },
    /** Whether it is the rest of a sentence that was answered. */
    get isRest() {
      return answered !== null && continuesBefore;
    },
    pause(sounds: Sounds): void {
      if (machine.move('pausing') && settings.speculates) work(sounds);
    },
    resume(): void {
      latestSounds = null;
      isSeparate = false;
      if (machine.move('speaking')) attempts.drop();
    },
    end(sounds: Sounds): void {
      // After a pause the sound is the same, and work on it is usually under way.
      if (machine.move('ended') && attempts.latest === null) work(sounds);
    },
    /** A wake word was detected in it: applies the new rule and starts the work again. */
    follow(next: CallRule): void {
      rule = next;
      restart();
    },
    restart,
    accept: () => machine.move('accepted'),
    /** Reports that playback of the answer is over. */
    played: (played: Played) => attempts.latest?.played(played),
    /** Ends the utterance and cancels its answer. The conversation keeps the played part of the reply. */
    drop(playedText?: string): void {
      machine.move('over');
      attempts.latest?.drop(playedText);
    },
  };
}

type AttemptsOptions = Pick<
  UtteranceOptions,
  'turnId' | 'turnClient' | 'conversation' | 'room' | 'language' | 'settings' | 'onMore'
>;

/** The turns that transcribe an utterance and work on its answer. A new one drops the one before. */
function createAttempts(
  options: AttemptsOptions,
  { ruleNow, isOver }: { ruleNow: () => CallRule | undefined; isOver: () => boolean },
) {
  const { turnId, turnClient, conversation, room, language, settings, onMore } = options;
  let latest: SpeculativeTurn | null = null;
  let sound: Pcm | null = null;
  let count = 0;
  let transcript: RecordingTranscript | null = null;
  let failure: AppError | null = null;

  const drop = () => {
    latest?.drop();
    [latest, transcript, failure] = [null, null, null];
  };

  return {
    begin(next: Pcm, onTranscript: (transcript: RecordingTranscript) => void): void {
      // A transcript may be read while its utterance ends.
      if (isOver()) return;
      drop();
      sound = next;
      count += 1;
      latest = startSpeculativeTurn({
        turnClient,
        // Each attempt is a separate turn. The first one uses the id that the satellite knows.
        newTurn: {
          id: count === 1 ? turnId : `${turnId}.${count}`,
          question: { sound: next },
          conversation,
          room,
          language,
          revision: settings.revision,
          ...ruleOfTurn(ruleNow()),
        },
        onTranscript,
        onFailure: (error) => {
          failure = error;
          onMore();
        },
      });
    },
    transcribed(words: RecordingTranscript): void {
      transcript = words;
      onMore();
    },
    drop,
    get latest() {
      return latest;
    },
    /** The sound of the latest attempt. */
    get sound() {
      return sound;
    },
    get transcript() {
      return transcript;
    },
    get failure() {
      return failure;
    },
  };
}

/** The rule for a turn. A turn never starts for `unheard`. */
function ruleOfTurn(rule: CallRule | undefined): Pick<NewTurn, 'nameRule' | 'calledBy'> {
  if (rule === undefined || rule.nameRule === 'unheard') return {};
  return { nameRule: rule.nameRule, calledBy: rule.calledBy };
}
