import { expect, test } from 'vitest';
import type { Session } from '../../../api/src/listen/session.ts';
import { createRealtimeClient } from '../../../api/src/realtime/realtime-client.ts';

test('passes sound held during a response on before the next request, which comes right after', async () => {
  const passed: string[] = [];
  const session = {
    take: async ({ type }: { type: string }) => void passed.push(type),
    soundOf: () => null,
    isAnswering: () => false,
  } as unknown as Session;
  const client = createRealtimeClient({
    send: () => undefined,
    onSound: () => void passed.push('sound'),
    sight: { sees: () => false, aboutPictures: '' },
    greetMe: '',
    voices: () => undefined,
    clock: { after: () => () => undefined },
    transcribe: async () => '',
    onFault: (error) => expect.unreachable(String(error)),
  });
  const read = (event: object) => client.read(session, JSON.stringify(event));
  const say = () => {
    read({ type: 'input_audio_buffer.append', audio: Buffer.alloc(24_000).toString('base64') });
    read({ type: 'input_audio_buffer.commit' });
  };
  read({ type: 'session.update', session: { type: 'realtime', audio: { input: { turn_detection: null } } } });
  say();
  read({ type: 'response.create' });
  client.tell({ type: 'input_audio_buffer.committed', turn_id: 'one', audio_duration_ms: 500 });
  client.tell({ type: 'response.created', turn_id: 'one' });
  say();
  passed.length = 0;

  client.tell({ type: 'response.output_audio.done', turn_id: 'one', audio_duration_ms: 500 });
  await Promise.resolve();
  read({ type: 'response.create' });

  expect(passed).toEqual(['sound', 'input_audio_buffer.commit']);
});
