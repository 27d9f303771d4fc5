import { createListener } from '../../api/src/audio/listener.ts';
import type { Vad } from '../../api/src/audio/vad.ts';
import type { AppError } from '../../api/src/errors.ts';
import type { ClientEvent, ServerEvent, WakeMode } from '../../api/src/listen/events/listen-events.ts';
import { createCutOffs } from '../../api/src/listen/playback/cut-offs.ts';
import { createRecentSentences } from '../../api/src/listen/playback/echo.ts';
import { createOwnVoice } from '../../api/src/listen/playback/own-voice.ts';
import { createSession, type SessionOptions } from '../../api/src/listen/session.ts';
import type { TurnTakingSettings } from '../../api/src/listen/turn-taking/turn-taking-options.ts';
import type { TranscriptClassification } from '../../api/src/listen/utterance/end-silences.ts';
import { untouchedSpeaker } from '../../api/src/speakers/speaker.ts';
import { readServerEvent } from './clients/listen-events.ts';
import { createOrderCheck } from './clients/listen-order.ts';
import { createFakeClock } from './fakes/fake-clock.ts';
import { createFakeTurnClient } from './fakes/fake-turn-client.ts';

const frameMs = 32;
const frameBytes = 1_024;

/** Detects speech in every frame that is not silent. */
const plainVad: Vad = {
  open: () => ({
    speech: async (frame) => (frame.some((byte) => byte !== 0) ? 1 : 0),
  }),
};

/** A unique voice: noise, identical in every run. */
function openVoice() {
  let seed = 7;
  return {
    read(): Buffer {
      const frame = Buffer.alloc(frameBytes);
      for (let at = 0; at < frameBytes; at += 2) {
        seed = (seed * 16_807) % 2_147_483_647;
        frame.writeInt16LE((seed % 20_000) - 10_000, at);
      }
      return frame;
    },
  };
}

/** A transcript with only these known facts. */
export const judged = (known: Partial<TranscriptClassification>): TranscriptClassification => ({
  isWhole: false,
  isUndoable: false,
  mayGetLonger: false,
  asks: false,
  states: false,
  switchesRoom: false,
  beginsAnew: false,
  joins: false,
  isReply: false,
  isLast: false,
  isBackchannel: false,
  goesOn: false,
  mayGoOn: false,
  ...known,
});

/** Defaults, unless a test overrides them. */
const usualSettings: TurnTakingSettings = {
  revision: 0,
  endSilenceMs: 600,
  patience: 'normal',
  speculates: true,
  partialsEveryMs: null,
  endsEarly: true,
  waitsForMore: true,
  followUpSound: false,
  fillerAfterMs: 2_500,
  names: ['Computer'],
  nameSpellings: [],
  wakeWords: ['okay_nabu'],
};

interface LiveOptions extends Partial<Omit<SessionOptions, 'settings'>> {
  /** May change during the session. */
  settings?: Partial<TurnTakingSettings>;
  room?: string | null;
  endpointing?: 'server' | 'manual';
  wake?: WakeMode;
}

export type LiveSession = Awaited<ReturnType<typeof openLiveSession>>;

/** A session with a person, a turn client that obeys the test, and a clock that the test advances. */
export async function openLiveSession(more: LiveOptions = {}) {
  const clock = createFakeClock();
  const turnClient = createFakeTurnClient();
  const order = createOrderCheck();
  const events: ServerEvent[] = [];
  const sounds: { atMs: number; turnId: string | null; bytes: number }[] = [];
  const faults: string[] = [];
  let interruptedAtMs: number | null = null;
  const refused: AppError[] = [];
  const loudspeaker = { unread: 0, isGivenUp: false };
  const voice = openVoice();
  let turns = 0;

  const note = (fault: string | null) => {
    if (fault !== null) faults.push(`${fault} after ${events.map(({ type }) => type).join(', ')}`);
  };
  const { room = null, endpointing = 'server', wake, settings = {}, ...options } = more;
  const session = createSession({
    id: '00000000-0000-4000-8000-000000000000',
    choice: { client: 'kitchen', room, endpointing, end_silence_ms: 600, ...(wake && { wake }) },
    onChoice: () => undefined,
    household: () => ({ room: null, wake: null, language: null }),
    clock,
    newTurnId: () => {
      turns += 1;
      return `00000000-0000-4000-8000-${String(turns).padStart(12, '0')}`;
    },
    openListener: (choice) => createListener({ vad: plainVad, ...choice }),
    turnClient,
    transcribePartial: turnClient.transcribePartial,
    preloadConversation: turnClient.preloadConversation,
    voice: createOwnVoice({
      synthesizeSentence: turnClient.synthesizeSentence,
      clock,
      manner: () => 'as ever',
      words: { filler: () => 'One moment.', failure: (code) => `That failed: ${code}.` },
      languages: ['en'],
    }),
    saying: createRecentSentences(),
    claim: async (_key, owner) => owner,
    rivals: { enter: async () => undefined, hasBetter: async () => false, leave: async () => undefined },
    calls: { note: async () => undefined, claim: async () => 'won', leave: async () => undefined },
    judge: () => judged({}),
    wakeWords: () => [],
    pauses: { of: async () => [], keep: async () => undefined },
    cutOffs: createCutOffs(),
    undo: async () => undefined,
    canBeUndone: async () => false,
    timers: () => [],
    tone: { sampleRateHz: 16_000, samples: Buffer.alloc(16_000, 1) },
    ready: { sampleRateHz: 16_000, samples: Buffer.alloc(6_400, 1) },
    goOn: { sampleRateHz: 16_000, samples: Buffer.alloc(3_200, 1) },
    chime: { sampleRateHz: 16_000, samples: Buffer.alloc(8_000, 1) },
    speakers: {
      now: () => untouchedSpeaker,
      leftMs: (until) => until - clock.nowMs(),
      wallAfter: (ms) => new Date(clock.nowMs() + ms).toISOString(),
      change: () => undefined,
    },
    onStopped: () => undefined,
    onAnswered: () => undefined,
    settings: () => ({ ...usualSettings, ...settings }),
    limits: { maxUtteranceMs: 30_000, maxFrameBytes: 65_536, aheadMs: 2_000, pingIntervalMs: 15_000 },
    send: (event) => {
      events.push(event);
      if (event.type === 'response.done' && event.reason === 'turn_detected')
        interruptedAtMs ??= clock.nowMs();
      note(order.faultOf(readServerEvent(JSON.stringify(event))));
    },
    loudspeaker: {
      play: (samples) => {
        sounds.push({ atMs: clock.nowMs(), turnId: order.speaking(), bytes: samples.length });
        note(order.faultOfSound(samples.length));
      },
      unreadBytes: () => loudspeaker.unread,
      giveUp: () => {
        loudspeaker.isGivenUp = true;
      },
    },
    suspension: () => ({ ms: 0, endedAt: 0 }),
    onFault: (error) => {
      throw error;
    },
    ...options,
  });

  /** Feeds sound in real time. */
  const hear = async (ms: number, isSpeech: boolean): Promise<void> => {
    for (let sentMs = 0; sentMs < ms; sentMs += frameMs) {
      await session.pushAudio(isSpeech ? voice.read() : Buffer.alloc(frameBytes));
      await clock.pass(frameMs);
    }
  };
  return {
    session,
    turnClient,
    clock,
    events,
    sounds,
    faults,
    refused,
    loudspeaker,
    speak: (ms: number) => hear(ms, true),
    silence: (ms: number) => hear(ms, false),
    /** Time without any sound. */
    wait: (ms: number) => clock.pass(ms),
    take: async (event: ClientEvent) => {
      await session.take(event, (error) => refused.push(error));
      await clock.pass(0);
    },
    /** When speech first ended an answer; null: never. */
    stoppedAtMs: () => interruptedAtMs,
    /** The types of all events but session.created. */
    types: () => events.slice(1).map(({ type }) => type),
    /** Asks a question and waits until its end is certain. */
    ask: async (transcript: string, { speechMs = 960 } = {}) => {
      await hear(speechMs, true);
      await hear(256, false);
      turnClient.turn(-1).hears(transcript);
      await hear(416, false);
      return turnClient.turn(-1);
    },
    of: <Type extends ServerEvent['type']>(type: Type) =>
      events.filter((event): event is Extract<ServerEvent, { type: Type }> => event.type === type),
    /** Responses that have begun but not ended. */
    openResponses: order.openResponses,
  };
}
