import type { WakeMode } from '../api/src/listen/events/listen-events.ts';
import { spokenClip } from '../tests/support/audio/spoken-clips.ts';
import { connectListen, type EventOf } from '../tests/support/clients/listen-client.ts';
import { waitFor } from '../tests/support/wait-for.ts';

/** A recording at 16 kHz, and the span of speech in it, in ms. */
export interface Clip {
  samples: Buffer;
  fromMs: number;
  untilMs: number;
}

/** A question of one and a half seconds; loud from the third frame to the seventh from the end. */
export const question: Clip = { samples: spokenClip('weather'), fromMs: 60, untilMs: 1_420 };

/** The delays that a speaker notices. All times in ms after the last voiced sample was sent. */
export interface Noticed {
  /** When the last voiced sample was sent, in ms of performance.now(). */
  endedAtMs: number;
  transcript: string | null;
  certainMs: number | null;
  firstSoundMs: number;
  /** Only a filler that says that the answer takes longer. */
  isFiller: boolean;
  done: EventOf<'response.done'>;
}

const maxWaitMs = 6_000;
/** The first story of a process takes longer on a slow machine. That is no failed interruption. */
const maxStoryMs = 20_000;

interface SatelliteOptions {
  client: string;
  wake?: WakeMode;
  speed?: number;
}

export type Satellite = Awaited<ReturnType<typeof openSatellite>>;

/** A person at a satellite whose microphone is always open. */
async function openSatellite(url: string, { speed = 1, ...who }: SatelliteOptions) {
  const line = await connectListen(url, who);
  await line.event('session.created');
  const microphone = line.openMicrophone({ speed });
  const until = <T>(look: () => T | undefined, what: string, withinMs = maxWaitMs) =>
    waitFor(() => look() ?? false, { what, withinMs });
  /** The newest event of a type after a moment. */
  const lastAfter = <Type extends Parameters<typeof line.event>[0]>(type: Type, atMs: number) =>
    line.events.findLast((each) => each.event.type === type && each.atMs > atMs);
  const answerAfter = (atMs: number) => {
    const created = lastAfter('response.created', atMs)?.event;
    const turnId = created?.type === 'response.created' ? created.turn_id : undefined;
    return line.sounds.find((piece) => piece.turnId === turnId && piece.atMs > atMs);
  };
  const doneOf = (turnId: string): EventOf<'response.done'> | undefined => {
    const found = line.events.find(
      ({ event }) => event.type === 'response.done' && event.turn_id === turnId,
    )?.event;
    return found?.type === 'response.done' ? found : undefined;
  };
  const transcriptOf = (turnId: string): string | null => {
    const type = 'conversation.item.input_audio_transcription.completed';
    const found = line.events.find(({ event }) => event.type === type && event.turn_id === turnId)?.event;
    return found && 'transcript' in found ? found.transcript : null;
  };
  const hasAllSound = (turnId: string) =>
    line.events.some(({ event }) => event.type === 'response.output_audio.done' && event.turn_id === turnId);
  /** The words of an answer arrive just before its sound; a filler has none. */
  const hasWordsBy = ({ turnId, atMs }: { turnId: string; atMs: number }) =>
    line.events.some(
      (each) =>
        each.event.type === 'response.output_audio_transcript.delta' &&
        each.event.turn_id === turnId &&
        each.atMs <= atMs,
    );
  const say = async (clip: Clip) => {
    const spoken = await microphone.say({ sampleRateHz: 16_000, samples: clip.samples });
    return { beganAtMs: spoken.sentAtMs(clip.fromMs), endedAtMs: spoken.sentAtMs(clip.untilMs - 1) };
  };
  /** Plays an answer to its end if all of it comes within this time, and otherwise stops it. */
  const hearOut = async (turnId: string, listenMs: number): Promise<EventOf<'response.done'>> => {
    await until(() => hasAllSound(turnId) || undefined, 'all of the answer', listenMs).catch(() => undefined);
    line.send(
      hasAllSound(turnId)
        ? { type: 'playback.finished', turn_id: turnId, played_ms: 600_000 }
        : { type: 'response.cancel', turn_id: turnId },
    );
    return await until(() => doneOf(turnId), 'the end of the answer');
  };

  return {
    line,
    say,
    until,
    doneOf,
    /** Says something and waits for the first sound of the answer. */
    async ask(clip: Clip, { listenMs = 0 } = {}): Promise<Noticed> {
      const { endedAtMs } = await say(clip);
      const first = await until(() => answerAfter(endedAtMs), 'the first sound');
      const certain = line.events.find(
        ({ event, atMs }) => event.type === 'input_audio_buffer.committed' && atMs > endedAtMs,
      );
      return {
        endedAtMs,
        transcript: transcriptOf(first.turnId),
        certainMs: certain ? certain.atMs - endedAtMs : null,
        firstSoundMs: first.atMs - endedAtMs,
        isFiller: !hasWordsBy(first),
        done: await hearOut(first.turnId, listenMs),
      };
    },
    /**
     * Talks over the answer. Returns its last sound and the event that ends it, in ms after the first voiced
     * sample was sent.
     */
    async talkOver(clip: Clip): Promise<{ lastSoundMs: number; overMs: number }> {
      const turnId = line.sounds.at(-1)?.turnId ?? '';
      const { beganAtMs } = await say(clip);
      await until(() => doneOf(turnId), 'the end of the answer that is talked over');
      const last = line.sounds.findLast((piece) => piece.turnId === turnId);
      const over = line.events.findLast(
        ({ event }) => event.type === 'response.done' && event.turn_id === turnId,
      );
      return {
        lastSoundMs: (last?.atMs ?? Number.NaN) - beganAtMs,
        overMs: (over?.atMs ?? Number.NaN) - beganAtMs,
      };
    },
    /** Stops the current answer. */
    async hush(): Promise<void> {
      line.send({ type: 'response.cancel' });
      await until(() => line.openResponses().length === 0 || undefined, 'silence');
    },
    /** Disconnects without a close frame. */
    goAway(): void {
      microphone.close();
      line.terminate();
    },
    async leave(): Promise<void> {
      microphone.close();
      await line.close();
    },
  };
}

interface VisitOptions {
  url: string;
  clients: readonly string[];
  wake?: WakeMode;
  speed?: number;
}

/**
 * Opens satellites for a visit and closes them after it, whatever its outcome. An invalid frame from the
 * server makes it fail.
 */
export async function withSatellites<T>(
  { url, clients, ...how }: VisitOptions,
  visit: (satellites: readonly Satellite[]) => Promise<T>,
): Promise<T> {
  const satellites = await Promise.all(clients.map((client) => openSatellite(url, { client, ...how })));
  try {
    const seen = await visit(satellites);
    await Promise.all(satellites.map((satellite) => satellite.leave()));
    return seen;
  } catch (error) {
    for (const satellite of satellites) satellite.goAway();
    throw error;
  }
}

export async function withSatellite<T>(
  { client, ...options }: Omit<VisitOptions, 'clients'> & { client: string },
  visit: (satellite: Satellite) => Promise<T>,
): Promise<T> {
  return await withSatellites({ ...options, clients: [client] }, async ([satellite]) => {
    if (!satellite) throw new Error('no satellite');
    return await visit(satellite);
  });
}

/** Asks for a story, plays its beginning and says something else. */
export async function talkOverStory(satellite: Satellite, { story, over }: { story: Clip; over: Clip }) {
  const soundMs = () => satellite.line.sounds.reduce((sum, { samples }) => sum + samples.length / 32, 0);
  const before = soundMs();
  await satellite.say(story);
  // The server sends two seconds ahead.
  const isTelling = () => soundMs() - before > 3_000 || undefined;
  await satellite.until(isTelling, 'three seconds of a story', maxStoryMs);
  const times = await satellite.talkOver(over);
  await satellite.until(() => satellite.line.openResponses().length > 0 || undefined, 'the next answer');
  await satellite.hush();
  return times;
}
