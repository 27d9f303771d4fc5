import type { Sounds } from '../audio/listener.ts';
import type { Pcm } from '../audio/pcm.ts';
import type { AppError } from '../errors.ts';
import type { Chain, HeardWords, NewTurn, Played } from '../jobs/chain.ts';
import type { CallRule } from './attention.ts';
import type { Judgement } from './end-silences.ts';
import { secondSentence } from './second-sentence.ts';
import { type SpeculativeTurn, startSpeculativeTurn } from './speculative-turn.ts';
import { createMachine, type Moves } from './states.ts';

type State = 'speaking' | 'pausing' | 'ended' | 'accepted' | 'over';

/** `pausing`: the end is tentative. `ended`: it is certain, but not yet whether there is anything to answer. */
const moves: Moves<State> = {
  speaking: ['pausing', 'ended', 'over'],
  pausing: ['speaking', 'ended', 'over'],
  ended: ['accepted', 'over'],
  accepted: ['over'],
  over: [],
};

export interface UtteranceOptions {
  turnId: string;
  chain: Pick<Chain, 'startTurn'>;
  conversation: string;
  room: string | null;
  /** The transcript of the utterance before, if this one goes on with it. */
  before: string | null;
  settings: { revision: number; speculates: boolean };
  /** Whether it needs the assistant's name or a wake word. Its transcript is empty if it needs one and has it not. */
  rule: CallRule | undefined;
  judge: (transcript: string) => Pick<Judgement, 'isWhole' | 'beginsAnew'>;
  /** There is a `transcript` or a `failure` for the speech up to the last end, tentative or certain. */
  onMore: () => void;
}

export type Utterance = ReturnType<typeof createUtterance>;

/** One stretch of speech, and the work on its answer: begun at each tentative end, dropped when the person goes on. */
export function createUtterance(options: UtteranceOptions) {
  const { turnId, chain, conversation, room, before, settings, judge, onMore } = options;
  const machine = createMachine(moves, 'speaking');
  let { rule } = options;
  let heardSounds: Sounds | null = null;
  let attempts = 0;
  let speculation: SpeculativeTurn | null = null;
  let heard: HeardWords | null = null;
  let failure: AppError | null = null;
  let continuesBefore = false;
  /** It is known from its first words that it does not go on with the utterance before. */
  let standsAlone = before === null;

  const dropSpeculation = () => {
    speculation?.drop();
    [speculation, heard, failure] = [null, null, null];
  };

  const begin = (sound: Pcm, onTranscript: (heard: HeardWords) => void): void => {
    dropSpeculation();
    attempts += 1;
    speculation = startSpeculativeTurn({
      chain,
      // Each attempt is a turn of its own. The first has the id that the satellite is told.
      asked: {
        id: attempts === 1 ? turnId : `${turnId}.${attempts}`,
        question: { sound },
        conversation,
        room,
        revision: settings.revision,
        ...ruleOfTurn(rule),
      },
      onTranscript,
      onFailure: (error) => {
        failure = error;
        onMore();
      },
    });
  };
  const transcribed = (words: HeardWords): void => {
    heard = words;
    onMore();
  };
  /** With the utterance before, it may be one sentence, which changes the earlier request, or a second one, which stands alone. */
  const transcribedJoined = (words: HeardWords, { sound }: Sounds): void => {
    continuesBefore = judge(words.text).isWhole || secondSentence(before ?? '', words.text) === null;
    if (continuesBefore) transcribed(words);
    else begin(sound, transcribed);
  };
  const work = (sounds: Sounds): void => {
    heardSounds = sounds;
    if (rule?.nameRule === 'unheard') return;
    if (standsAlone || sounds.joined === null) begin(sounds.sound, transcribed);
    else begin(sounds.joined, (words) => transcribedJoined(words, sounds));
  };

  return {
    turnId,
    get state() {
      return machine.state;
    },
    get speculation() {
      return speculation;
    },
    isOpen: () => machine.state === 'speaking' || machine.state === 'pausing',
    /** Null until it is known. */
    get transcript() {
      return heard?.text ?? null;
    },
    get isSure() {
      return heard?.isSure === true;
    },
    /** Why there is no transcript or no answer; null: nothing has failed. */
    get failure() {
      return failure;
    },
    /** The assistant was called by its name, which is not in the transcript. */
    get isNamed() {
      return heard?.isNamed === true;
    },
    /** Whether nothing is left to find out by hearing it together with the utterance before. */
    get standsAlone() {
      return standsAlone;
    },
    /**
     * Takes a transcript of it while it is spoken, together with the utterance before. Returns its own words as soon as they plainly are a second
     * sentence: then the end needs no recognition of both.
     */
    overhear(text: string): string {
      const own = standsAlone ? null : secondSentence(before ?? '', text);
      if (own === null || !judge(own).beginsAnew) return text;
      standsAlone = true;
      return own;
    },
    /** Whether it changes the request of the utterance before. */
    get continuesBefore() {
      return continuesBefore;
    },
    pause(sounds: Sounds): void {
      if (machine.move('pausing') && settings.speculates) work(sounds);
    },
    resume(): void {
      heardSounds = null;
      if (machine.move('speaking')) dropSpeculation();
    },
    end(sounds: Sounds): void {
      // If a pause came before, the sound is the same, and work on it is usually under way.
      if (machine.move('ended') && speculation === null) work(sounds);
    },
    /** A wake word was heard in it. What is known of its words was known by another rule. */
    follow(next: CallRule): void {
      rule = next;
      if (heardSounds !== null) work(heardSounds);
    },
    accept: () => machine.move('accepted'),
    /** The answer has been heard, as far as there was anything to hear. */
    played: (played: Played) => speculation?.played(played),
    /** No answer is wanted, or no more of it. If the reply had begun, the conversation keeps the part that was heard. */
    drop(playedText?: string): void {
      machine.move('over');
      speculation?.drop(playedText);
    },
  };
}

/** The rule as a turn has it, which never begins without a reason to look at the words. */
function ruleOfTurn(rule: CallRule | undefined): Pick<NewTurn, 'nameRule' | 'calledBy'> {
  if (rule === undefined || rule.nameRule === 'unheard') return {};
  return { nameRule: rule.nameRule, calledBy: rule.calledBy };
}
