import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { writeWav } from '../../../api/src/audio/wav.ts';
import { spokenClip } from '../audio/spoken-clips.ts';
import { connectListen, type ListenClient } from './listen-client.ts';

type ClipName = Parameters<typeof spokenClip>[0];

export const clip = (name: ClipName): Pcm => ({ sampleRateHz: 16_000, samples: spokenClip(name) });

export type Room = Awaited<ReturnType<typeof enterRoom>>;

/** A satellite in a room with an open microphone, and a person who speaks to it. */
export async function enterRoom(address: string, options: Parameters<typeof connectListen>[1] = {}) {
  const satellite = await connectListen(address, options);
  const microphone = satellite.openMicrophone();
  return {
    ...satellite,
    say: (name: ClipName) => microphone.say(clip(name)),
    leave: async () => {
      microphone.close();
      await satellite.close();
    },
    goAway: () => {
      microphone.close();
      satellite.terminate();
    },
  };
}

/** Length of all its speech, as people heard it. */
export const soundMs = ({ sounds }: Pick<ListenClient, 'sounds'>) =>
  sounds.reduce((sum, { samples }) => sum + samples.length / 32, 0);

/** A unique voice at a human pace: noise that is identical for the same words. */
export function voiceOf({ text }: { text: string }): Buffer {
  const sampleRateHz = 22_050;
  const samples = Buffer.alloc(Math.round((sampleRateHz * Math.max(400, text.length * 12)) / 1_000) * 2);
  let seed = text.length + 1;
  for (let at = 0; at < samples.length; at += 2) {
    seed = (seed * 16_807) % 2_147_483_647;
    samples.writeInt16LE((seed % 10_000) - 5_000, at);
  }
  return writeWav({ sampleRateHz, samples });
}
