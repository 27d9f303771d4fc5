import type { Outlook } from '../audio/endpointer.ts';
import type { SoFar } from '../audio/listener.ts';
import type { Chain } from '../jobs/chain.ts';
import type { Clock } from './clock.ts';
import type { ServerEvent } from './listen-events.ts';
import { createPartialTranscripts } from './partial-transcripts.ts';

/** A transcript as the skills see it, which answer at once. */
export interface Judgement {
  /** A skill accepts it as it stands. */
  isWhole: boolean;
  /** The command can be taken back. */
  isUndoable: boolean;
  /** It asks for nothing but words: "why is the sky blue". */
  asks: boolean;
  /** It ends the conversation: "thank you", "never mind", "stop". */
  isLast: boolean;
  /** The sentence plainly goes on: "set a timer for". */
  goesOn: boolean;
}

interface LiveTranscriptOptions {
  chain: Pick<Chain, 'transcribePartial'>;
  clock: Clock;
  microphone: {
    soFar(): SoFar | null;
    expect(outlook: Outlook, transcribedUntilMs: number): void;
  };
  judge: (transcript: string) => Judgement;
  send: (event: ServerEvent) => void;
  settings: () => {
    partialsEveryMs: number | null;
    revision: number;
    endsEarly: boolean;
    waitsForMore: boolean;
  };
  /** The turn of the utterance that is open; null: there is none. */
  turnId: () => string | null;
}

/** The transcript of an utterance that is not over: it is shown, and tells the microphone when to expect the end. */
export function createLiveTranscript(options: LiveTranscriptOptions) {
  const { chain, clock, microphone, judge, send, settings, turnId } = options;

  const show = (transcript: string, untilMs: number): void => {
    const turn_id = turnId();
    if (turn_id === null || transcript === '') return;
    send({ type: 'conversation.item.input_audio_transcription.delta', turn_id, transcript });
    microphone.expect(outlookOf(judge(transcript), settings()), untilMs);
  };
  const partials = createPartialTranscripts({
    chain,
    clock,
    settings,
    soFar: microphone.soFar,
    onPartial: show,
  });
  return { show, start: partials.start, stop: partials.stop };
}

/** How the endpointer should take a transcript, if the household wants it to. */
export function outlookOf(
  { isWhole, isUndoable, asks, goesOn }: Omit<Judgement, 'isLast'>,
  { endsEarly, waitsForMore }: { endsEarly: boolean; waitsForMore: boolean },
): Outlook {
  if (isWhole && isUndoable && endsEarly) return 'whole';
  if (goesOn) return waitsForMore ? 'unfinished' : 'ordinary';
  return asks && !isWhole && endsEarly ? 'asked' : 'ordinary';
}
