import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { AppError, type ErrorCode } from '../../../api/src/errors.ts';
import type { Reply, Timings, TranscriptCandidate } from '../../../api/src/turn/turn.ts';
import type { PreloadConversation } from '../../../api/src/turn-client/conversation-preload.ts';
import type { TranscribePartial } from '../../../api/src/turn-client/partial-transcription.ts';
import type { SynthesizeSentence } from '../../../api/src/turn-client/sentence-synthesis.ts';
import type { NewTurn, TurnClient } from '../../../api/src/turn-client/turn-client.ts';

interface LiveTurnClient extends Pick<TurnClient, 'startTurn'> {
  transcribePartial: TranscribePartial;
  synthesizeSentence: SynthesizeSentence;
  preloadConversation: PreloadConversation;
}

/** A sound of the given length at a voice's sample rate. Its samples differ from silence. */
export function voiceSound(ms: number, sampleRateHz = 22_050): Pcm {
  const samples = Buffer.alloc(Math.round((sampleRateHz * ms) / 1_000) * 2);
  for (let at = 0; at < samples.length; at += 2) samples.writeInt16LE(((at / 2) % 200) * 50 - 5_000, at);
  return { sampleRateHz, samples };
}

/** The certainty of a transcript. By default the recognition is sure, without a score. */
type Scores = Partial<Pick<TranscriptCandidate, 'isSure' | 'avgLogprob'>>;

export type FakeTurn = ReturnType<typeof createTurn>;

function createTurn(asked: NewTurn) {
  const reply = Promise.withResolvers<Reply>();
  const spoken = Promise.withResolvers<Timings>();
  const said: string[] = [];
  const state = { isConfirmed: false, isCancelled: false, playedText: undefined as string | undefined };
  for (const { promise } of [reply, spoken]) promise.catch(() => undefined);
  const fails = (error: AppError) => {
    reply.reject(error);
    spoken.reject(error);
  };
  let transcript: string | null = null;
  let isOver = false;

  return {
    asked,
    state,
    /** Whether it has ended by itself. */
    isOver: () => isOver,
    hears(
      text: string,
      { isNamed = false, isSure = true, avgLogprob }: Scores & { isNamed?: boolean } = {},
    ): void {
      transcript = text;
      asked.onTranscript?.({ text, isSure, isNamed, avgLogprob });
    },
    /** Adds a sentence to the reply; `null` means that no voice could speak it. */
    says(text: string, ms: number | null = 1_000): void {
      asked.onSpeech?.({ seq: said.length, text, sound: ms === null ? null : voiceSound(ms) });
      said.push(text);
    },
    ends(via = 'local'): void {
      isOver = true;
      reply.resolve({
        text: said.join(' '),
        heard: transcript,
        via,
        finish: 'stop',
        usage: null,
        timings: { stt: 100, total: 300 },
        sentences: said.length,
      });
      spoken.resolve({ stt: 100, total: 300 });
    },
    fails(code: ErrorCode): void {
      isOver = true;
      fails(new AppError(code));
    },
    pending: {
      reply: reply.promise,
      spoken: spoken.promise,
      cancel(playedText?: string): void {
        state.isCancelled = true;
        state.playedText = playedText;
        fails(new AppError('turn_cancelled'));
      },
      async confirm(): Promise<void> {
        state.isConfirmed = true;
      },
      played: () => undefined,
    },
  };
}

/** The turn client as the live connection sees it; the test controls every step. */
export function createFakeTurnClient() {
  const turns: FakeTurn[] = [];
  const partials: {
    sound: Pcm;
    calledBy: readonly string[] | undefined;
    tell: (text: string | null, scores?: Scores) => void;
    signal: AbortSignal;
  }[] = [];
  const preloaded: Parameters<PreloadConversation>[0][] = [];
  let refusal: ErrorCode | null = null;
  let taking = Promise.resolve();
  let goOn = (): void => undefined;
  let saying: (text: string) => Promise<Pcm | null> = async () => voiceSound(500);

  const turnClient: LiveTurnClient = {
    async startTurn(asked) {
      await taking;
      if (refusal !== null) throw new AppError(refusal);
      const turn = createTurn(asked);
      turns.push(turn);
      return turn.pending;
    },
    transcribePartial: ({ sound, calledBy, signal }) =>
      new Promise((done) => {
        const tell = (text: string | null, { isSure = true, avgLogprob }: Scores = {}) =>
          done(text === null ? null : { text, isSure, avgLogprob });
        partials.push({ sound, calledBy, tell, signal });
      }),
    synthesizeSentence: ({ text }) => saying(text),
    preloadConversation: (spoken) => {
      preloaded.push(spoken);
    },
  };
  return {
    ...turnClient,
    turns,
    partials,
    preloaded,
    /** Refuses turns for this reason. */
    refuse: (code: ErrorCode | null) => {
      refusal = code;
    },
    /** Delays turns until the test continues them. */
    stall(): void {
      const stalled = Promise.withResolvers<void>();
      [taking, goOn] = [stalled.promise, stalled.resolve];
    },
    goOn(): void {
      goOn();
      taking = Promise.resolve();
    },
    /** Turns the assistant's own sentences into sound. */
    speaks: (next: (text: string) => Promise<Pcm | null>) => {
      saying = next;
    },
    /** The nth turn, from 0. */
    turn(nth: number): FakeTurn {
      const turn = turns.at(nth);
      if (!turn) throw new Error(`there are ${turns.length} turns`);
      return turn;
    },
  };
}
