import { spokenCase } from '../support/audio/spoken-clips.ts';
import { connectListen, type Exchange } from '../support/clients/listen-client.ts';
import type { Household } from './household.ts';

export type LiveRoom = Awaited<ReturnType<typeof enterRoom>>;

/** A person at a satellite of the household, whose microphone is always open. */
export async function enterRoom(
  { port }: Pick<Household, 'port'>,
  { client, room = client }: { client: string; room?: string },
) {
  const satellite = await connectListen(`http://127.0.0.1:${port}`, { client, room });
  const microphone = satellite.openMicrophone();
  const begun = () => satellite.events.filter(({ event }) => event.type === 'response.created').length;
  const say = (file: string) => microphone.say({ sampleRateHz: 16_000, samples: spokenCase(file) });

  return {
    ...satellite,
    /** Speaks a clip; resolves when it was said. */
    say,
    /** The number of answers that have begun. */
    begun,
    /** Speaks a clip and plays its answer to the end. */
    ask: async (file: string, withinMs = 60_000): Promise<Exchange> => {
      const nth = begun();
      await say(file);
      return await satellite.exchange(nth, withinMs);
    },
    /** The amount of sound received, over all answers. */
    soundMs: () => satellite.sounds.reduce((sum, { samples }) => sum + samples.length, 0) / 32,
    /** Fails if any frame was wrong. */
    leave: async () => {
      microphone.close();
      await satellite.close();
    },
  };
}

/** The parts of an answer that a person notices. */
export function notice({ transcript, done: { status, reason, via, reply } }: Exchange) {
  return { transcript, status, reason, via, reply };
}

/** The loudest sample of an answer, of 32,767. */
export function loudest({ sound }: Exchange): number {
  let most = 0;
  for (let at = 0; at + 1 < sound.length; at += 2) most = Math.max(most, Math.abs(sound.readInt16LE(at)));
  return most;
}
