import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { eventTypes, faultOfEvent, readServerEvent } from '../support/clients/listen-events.ts';
import { createOrderCheck } from '../support/clients/listen-order.ts';
import { type FakeListen, startFakeListen } from '../support/fakes/fake-listen.ts';
import { waitFor } from '../support/wait-for.ts';

const page = readFileSync(new URL('../../docs/listen.md', import.meta.url), 'utf8');

let server: FakeListen | undefined;
afterEach(() => server?.stop());

/** The section of the page under a heading. */
const partOf = (heading: string) => page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
/** Events that one side sends in the page's examples, with ids in full. */
const framesOf = (side: '<' | '>', text: string) =>
  [...text.matchAll(/^([<>]) (\{.*\})$/gm)]
    .filter(([, who]) => who === side)
    .map(([, , frame = '']) => frame.replaceAll(/"turn_id":"(\w{4})"/g, `"turn_id":"$1${randomIdTail}"`));
const randomIdTail = randomUUID().slice(4);

describe('docs/listen.md', () => {
  test.each([...eventTypes.server, ...eventTypes.client])('describes %s', (type) => {
    expect(page).toContain(`\`${type}\``);
  });

  test('shows sessions of valid events only', () => {
    const sent = framesOf('>', page).map((frame) => faultOfEvent('client', JSON.parse(frame)));
    const received = framesOf('<', page).map((frame) => faultOfEvent('server', JSON.parse(frame)));

    expect(sent.length).toBeGreaterThan(4);
    expect(received.length).toBeGreaterThan(15);
    expect([...sent, ...received].filter(Boolean)).toEqual([]);
  });

  test('shows a session in a legal order', () => {
    const order = createOrderCheck();
    const faults = framesOf('<', partOf('A session')).flatMap((frame) => {
      const event = readServerEvent(frame);
      // The page omits the sound; the test sends the announced amount.
      if (event.type === 'response.output_audio.done') order.faultOfSound(event.audio_duration_ms * 32);
      return order.faultOf(event) ?? [];
    });

    expect(faults).toEqual([]);
    expect(order.openResponses()).toEqual([]);
  });

  test('has a minimal satellite that works', async () => {
    server = await startFakeListen();
    const code = /```js\n(.*?)```/s.exec(partOf('The smallest satellite'))?.[1] ?? '';
    const here = code.replace('ws://localhost:8765', server.url.replace('http', 'ws'));
    const child = spawn(process.execPath, ['--input-type=module', '--eval', here], { stdio: 'pipe' });
    const played: Buffer[] = [];
    child.stdout.on('data', (sound) => played.push(sound));
    const session = await server.session();
    const [question, answer] = [Buffer.alloc(6_400, 3), Buffer.alloc(32_000, 4)];

    child.stdin.write(question);
    await waitFor(() => session.soundBytes() === question.length);
    session.begin({ turnId: randomUUID(), transcript: 'Hello.', reply: 'Good evening.', sound: answer });
    await waitFor(() => Buffer.concat(played).length === answer.length);

    expect(Buffer.concat(played)).toEqual(answer);
    expect(session.sound()).toEqual(question);
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
});
