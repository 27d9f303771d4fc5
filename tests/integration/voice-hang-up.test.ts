import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import { hangs, says } from '../support/fakes/fake-llm.ts';
import { neverSpeaks, speaksSlowly } from '../support/fakes/fake-piper.ts';
import { hearsAfter, neverHears } from '../support/fakes/fake-stt.ts';
import {
  recordingOf,
  spokenAnswerOf,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = mkdtempSync(join(tmpdir(), 'voice-hang-up-'));
const pidFile = join(folder, 'pid');

/**
 * A program in place of ffmpeg that prints its version, reads forever, and writes its process id to a file.
 */
function slowDecoder(): string {
  const path = join(folder, 'ffmpeg');
  writeFileSync(path, `#!/bin/sh\n[ "$1" = -version ] && exit\necho $$ > ${pidFile}\nexec sleep 60\n`);
  chmodSync(path, 0o755);
  return path;
}

let house: VoiceHousehold;
beforeAll(async () => {
  house = await startVoiceHousehold({ env: { FFMPEG: slowDecoder() } });
});
beforeEach(() => house.forget());
afterAll(async () => {
  await house?.stop();
  rmSync(folder, { recursive: true });
});

/** A recording whose caller can hang up. */
function say(words: string, client: string, recording = recordingOf(words)) {
  const caller = new AbortController();
  const answer = house.assistant
    .voice(recording, { client }, { signal: caller.signal })
    .catch(() => 'hung up' as const);
  return { answer, hangUp: () => caller.abort() };
}

const isIdle = () =>
  waitFor(() => house.stt.busy + house.llm.busy + house.piper.busy + house.assistant.openTurns() === 0, {
    what: 'nobody works on anything',
  });
const kept = (client: string) => house.store.llen(conversationKeys(client).exchanges);

const twoSentences = 'This is the first sentence. And this is the second one, which is longer.';

/** The work in progress when the caller leaves, and how the engines are made to do it. */
const stages: [
  when: string,
  play: (house: VoiceHousehold) => void,
  reached: () => Promise<boolean> | boolean,
][] = [
  ['it is transcribed', ({ stt }) => stt.hears(() => neverHears), () => house.stt.busy === 1],
  ['the model thinks', ({ llm }) => llm.answers(() => hangs), () => house.llm.busy === 1],
  [
    'the model writes and the voice speaks',
    ({ llm, piper }) => {
      llm.answers(() => says(twoSentences.repeat(40), { intervalMs: 20 }));
      piper.speaks(neverSpeaks);
    },
    () => house.llm.busy === 1 && house.piper.busy > 0,
  ],
  [
    'the voice speaks what has been written',
    ({ llm, piper }) => {
      llm.answers(() => says(twoSentences));
      piper.speaks(neverSpeaks);
    },
    async () => house.llm.busy === 0 && house.piper.busy === 2 && (await kept('left')) === 1,
  ],
];

describe('a caller who hangs up while', () => {
  test.each(stages)('%s ends the work, and nothing is stored', async (_, play, reached) => {
    play(house);
    const { answer, hangUp } = say('Is Mars cold?', 'left');
    await waitFor(reached, { what: 'that stage' });

    hangUp();

    await isIdle();
    expect(await answer).toBe('hung up');
    await waitFor(async () => (await kept('left')) === 0, { what: 'the conversation keeps nothing' });
  });

  test('the recording waits for the speech recognition keeps it from there', async () => {
    house.stt.hears(() => neverHears);
    const busy = [say('One.', 'a'), say('Two.', 'b')];
    await waitFor(() => house.stt.busy === 2);
    const waiting = say('Three.', 'c');
    await waitFor(() => house.assistant.openTurns() === 3);

    waiting.hangUp();
    await waitFor(() => house.assistant.openTurns() === 2);
    for (const { hangUp } of busy) hangUp();
    await isIdle();
    house.forget();
    await house.say('And now?');

    expect(house.stt.calls).toHaveLength(1);
  });

  test('it is decoded leaves no program behind', async () => {
    const { answer, hangUp } = say('', 'decoded', Buffer.from('OggS and nothing that anybody knows'));
    const pid = await waitFor(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')));

    hangUp();

    expect(await answer).toBe('hung up');
    await waitFor(() => !isAlive(pid), { what: 'the program has ended' });
    expect(house.stt.calls).toEqual([]);
  });

  test('it is still being sent starts nothing', async () => {
    const { port } = house.assistant;
    const recording = recordingOf('Half of it.');
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const head = ['POST /voice HTTP/1.1', 'Host: localhost', 'Content-Type: audio/wav'];
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${recording.length}\r\n\r\n`);
    socket.write(recording.subarray(0, recording.length / 2));
    await waitFor(() => socket.writableLength === 0);

    socket.destroy();

    expect(spokenAnswerOf(await house.say('Whole.')).heard).toBe('Whole.');
    expect(house.stt.calls).toHaveLength(1);
  });

  test('any step runs leaves nothing running behind', async () => {
    house.stt.hears(() => hearsAfter(15, 'Quick.'));
    house.llm.answers(() => says(twoSentences, { intervalMs: 5 }));
    house.piper.speaks(speaksSlowly(1));
    for (let wave = 0; wave < 8; wave += 1) {
      const callers = Array.from({ length: 6 }, (_, index) => say('Quick.', `wave ${index}`));
      await Promise.all(
        callers.map(async ({ hangUp }, index) => {
          await delay(index * 25 + wave * 5);
          hangUp();
        }),
      );
      await Promise.all(callers.map(({ answer }) => answer));
      await isIdle();
    }

    house.forget();
    expect(spokenAnswerOf(await house.say('Still there?')).reply).toBe('Yes.');
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // The process does not exist.
  }
}
