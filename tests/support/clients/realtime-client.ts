import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Pcm } from '../../../api/src/audio/pcm.ts';
import { createPcmResampler } from '../../../api/src/audio/resample.ts';
import { openMicrophone } from '../audio/microphone.ts';
import { waitFor } from '../wait-for.ts';
import { clip } from './room.ts';

const eventSchema = z.looseObject({ type: z.string(), event_id: z.string() });
/** An event and its arrival time, in ms of performance.now(). */
type RealtimeEvent = z.infer<typeof eventSchema> & { atMs: number };

interface ConnectOptions {
  protocols?: string[];
  query?: string;
  headers?: Record<string, string>;
}

export type RealtimeClient = Awaited<ReturnType<typeof connectRealtime>>;

/**
 * A client of OpenAI's Realtime interface that behaves like their packages: base64 at 24 kHz, text frames
 * only.
 */
export async function connectRealtime(
  address: string,
  { protocols = [], query = '', headers = {} }: ConnectOptions = {},
) {
  const url = `${address.replace('http', 'ws')}/v1/realtime?model=gpt-realtime${query}`;
  const socket = new WebSocket(url, protocols, { headers });
  const events: RealtimeEvent[] = [];
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('a binary frame came');
    events.push({ ...eventSchema.parse(JSON.parse(String(data))), atMs: performance.now() });
  });
  let end: string | null = null;
  const closed = once(socket, 'close').then(([code, reason]) => {
    end = `${code} ${reason}`;
    return Number(code);
  });
  await once(socket, 'open');

  const send = (event: object): void => socket.send(JSON.stringify(event));
  const append = (bytes: Buffer): void =>
    send({ type: 'input_audio_buffer.append', audio: bytes.toString('base64') });
  const resampler = createPcmResampler({ fromHz: 16_000, toHz: 24_000 });
  let microphone: ReturnType<typeof openMicrophone> | undefined;

  const all = (type: string) => events.filter((event) => event.type === type);
  return {
    events,
    closed,
    /** Why the connection closed; null while it is open. */
    end: () => end,
    protocol: socket.protocol,
    send,
    append,
    sendRaw: (text: string) => socket.send(text),
    all,
    types: () => events.map(({ type }) => type),
    /** The nth event of this type (from 0), once it has arrived. Rejects if the connection ends first. */
    async event(type: string, nth = 0): Promise<RealtimeEvent> {
      const what = `${type} number ${nth + 1}`;
      const come = await waitFor(() => all(type)[nth] ?? end ?? false, { what, withinMs: 30_000 });
      if (typeof come === 'string') throw new Error(`the connection ended (${come}) before ${what}`);
      return come;
    },
    /** Sends all of this 16 kHz sound at once, in chunks. */
    sendSound(samples: Buffer): void {
      for (let at = 0; at < samples.length; at += 32_000) {
        append(resampler.push(samples.subarray(at, at + 32_000)));
      }
    },
    /** Speaks into a microphone that stays open afterwards. */
    say(said: Parameters<typeof clip>[0] | Pcm) {
      microphone ??= openMicrophone({
        send: (samples) => socket.readyState === WebSocket.OPEN && append(resampler.push(samples)),
      });
      return microphone.say(typeof said === 'string' ? clip(said) : said);
    },
    write: (text: string) => {
      const content = [{ type: 'input_text', text }];
      send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
      send({ type: 'response.create' });
    },
    /** All received sound, as bytes. */
    sound: () =>
      Buffer.concat(
        all('response.output_audio.delta').map(({ delta }) => Buffer.from(String(delta), 'base64')),
      ),
    /** Goes without a word, as when the network breaks. */
    drop(): void {
      microphone?.close();
      socket.terminate();
    },
    async leave() {
      microphone?.close();
      socket.close();
      await closed;
    },
  };
}
