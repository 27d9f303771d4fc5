import type { Sounds } from '../audio/listener.ts';
import type { Pcm } from '../audio/pcm.ts';
import type { AppError } from '../errors.ts';
import type { Chain, Played } from '../jobs/chain.ts';
import type { NameRule } from '../turn/turn.ts';
import { isSecondSentence } from './second-sentence.ts';
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
  /** Whether it needs the assistant's name. Its transcript is empty if it needs it and has it not. */
  nameRule: NameRule | undefined;
  isWhole: (transcript: string) => boolean;
  /** There is a `transcript` or a `failure` for the speech up to the last end, tentative or certain. */
  onMore: () => void;
}

export type Utterance = ReturnType<typeof createUtterance>;

/** One stretch of speech, and the work on its answer: begun at each tentative end, dropped when the person goes on. */
export function createUtterance(options: UtteranceOptions) {
  const { turnId, chain, conversation, room, before, settings, nameRule, isWhole, onMore } = options;
  const machine = createMachine(moves, 'speaking');
  let attempts = 0;
  let speculation: SpeculativeTurn | null = null;
  let transcript: string | null = null;
  let failure: AppError | null = null;
  let continuesBefore = false;
  let isNamed = false;

  const dropSpeculation = () => {
    speculation?.drop();
    [speculation, transcript, failure] = [null, null, null];
  };

  const begin = (sound: Pcm, onTranscript: (transcript: string, isNamed: boolean) => void): void => {
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
        nameRule,
      },
      onTranscript,
      onFailure: (error) => {
        failure = error;
        onMore();
      },
    });
  };
  const transcribed = (text: string, isNamedHere: boolean): void => {
    transcript = text;
    isNamed = isNamedHere;
    onMore();
  };
  /** With the utterance before, it may be one sentence, which changes the earlier request, or a second one, which stands alone. */
  const transcribedJoined = (text: string, isNamedHere: boolean, { sound }: Sounds): void => {
    continuesBefore = isWhole(text) || !isSecondSentence(before ?? '', text);
    if (continuesBefore) transcribed(text, isNamedHere);
    else begin(sound, transcribed);
  };
  const work = (sounds: Sounds): void => {
    if (before === null || sounds.joined === null) begin(sounds.sound, transcribed);
    else begin(sounds.joined, (text, isNamedHere) => transcribedJoined(text, isNamedHere, sounds));
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
      return transcript;
    },
    /** Why there is no transcript or no answer; null: nothing has failed. */
    get failure() {
      return failure;
    },
    /** The assistant was called by its name, which is not in the transcript. */
    get isNamed() {
      return isNamed;
    },
    /** Whether it changes the request of the utterance before. */
    get continuesBefore() {
      return continuesBefore;
    },
    pause(sounds: Sounds): void {
      if (machine.move('pausing') && settings.speculates) work(sounds);
    },
    resume(): void {
      if (machine.move('speaking')) dropSpeculation();
    },
    end(sounds: Sounds): void {
      // If a pause came before, the sound is the same, and work on it is usually under way.
      if (machine.move('ended') && speculation === null) work(sounds);
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
