import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterRoom, voiceOf } from '../support/clients/room.ts';
import { says } from '../support/fakes/fake-llm.ts';
import { failsToHear, inTurn } from '../support/fakes/fake-stt.ts';
import { recordingOf, startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const token = 'Token-zanzibar-0123456789';
const engineKey = 'sk-zanzibar-9876543210';
const bearer = { headers: { authorization: `Bearer ${token}` } };
/** Marks inside all words and all secrets. */
const marked = /zanzibar|walrus/i;

let home: VoiceHousehold;

beforeAll(async () => {
  home = await startVoiceHousehold({
    env: { SERVICE_TOKEN: token, LLM_API_KEY: engineKey, LOG_LEVEL: 'trace' },
  });
  home.piper.speaks(voiceOf);
});
afterAll(() => home.stop());

/** All reports on past work. */
async function told() {
  const { assistant, store } = home;
  const call = async (path: string) => (await assistant.call(path, bearer)).text;
  const stream = (await store.xrange('hearth:logs', '-', '+')).flatMap(([, fields]) => fields);
  const output = [assistant.log, ...assistant.workers.map(({ log }) => log)].flat();
  const pages = [
    '/admin/logs?limit=1000',
    '/admin/turns?limit=200',
    '/admin/metrics',
    '/admin/restart',
    '/health',
  ];
  return { stream, output, pages: await Promise.all(pages.map(call)) };
}

/** Says something marked in every possible way, and makes every engine fail on it. */
async function speakEverywhere() {
  const { assistant, llm, stt, piper } = home;
  llm.answers(() => says('The walrus is well.'));
  await assistant.ask('Where is the walrus?', { client: 'walrus-phone', room: 'bath' }, bearer);
  await assistant.call(`/ask?token=${token}`, { body: { text: 'And the other walrus?' } });
  await assistant.ask('add walrus food to the shopping list', {}, bearer);
  const chat = { messages: [{ role: 'user', content: 'A walrus?' }] };
  await assistant.call('/v1/chat/completions', { ...bearer, body: chat });
  await assistant.call('/v1/chat/completions', { ...bearer, body: { ...chat, stream: true } });
  await assistant.voice(recordingOf('Is there a walrus?'), {}, bearer);

  llm.answers(() => ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices": walrus}\n\n');
  });
  await assistant.ask('Does the walrus break?', {}, bearer);
  llm.answers(() => ({ response }) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"the walrus said no"}}');
  });
  await assistant.ask('Does the walrus fail?', {}, bearer);
  llm.answers(() => says('The walrus again.'));
  stt.hears(inTurn(failsToHear(500)));
  await assistant.voice(recordingOf('A walrus nobody hears'), {}, bearer);
  stt.hears('Is the walrus here?');
  piper.speaks(() => {
    throw new Error('the walrus is hoarse');
  });
  await assistant.voice(recordingOf('A walrus with no voice'), {}, bearer);
  piper.speaks(voiceOf);

  await assistant.call('/ask', { ...bearer, body: '{"text": walrus}' });
  await assistant.call('/ask', {
    headers: { authorization: 'Bearer walrus-wrong' },
    body: { text: 'walrus' },
  });
  await assistant.call(`/admin/servers/${token}?token=${token}`);
  await assistant.call(`/nothing/${encodeURIComponent(token)}?token=${token}&q=walrus`);
  await assistant.call(`/admin/turns/${token}?token=${token}`);
}

async function speakInARoom() {
  const room = await enterRoom(`${home.assistant.address}`, { client: 'bath', room: 'bath', token });
  await room.say('weather');
  const { done } = await room.exchange();
  await room.leave();
  return done;
}

test('logs, turns and metrics contain neither words nor secrets', {
  timeout: 60_000,
  tags: 'slow',
}, async () => {
  await speakEverywhere();
  home.stt.hears('Is the walrus here?');
  const done = await speakInARoom();
  await waitFor(async () => (await told()).stream.some((line) => line.includes('the turn is over')));
  await waitFor(async () => (await told()).pages.some((page) => page.includes('"source":"listen"')));

  const { stream, output, pages } = await told();

  expect(done.reply).toContain('walrus');
  const telling = [...stream, ...output, ...pages].filter((text) => marked.test(text));
  expect(telling.map((text) => text.slice(0, 3_000))).toEqual([]);
});

test('words are logged if the household enables it, marked, and reported on /health', async () => {
  const { assistant, llm } = home;
  llm.answers(() => 'The walrus is well.');
  const set = (log_words: boolean | null) =>
    assistant.call('/admin/pipeline', { ...bearer, method: 'PATCH', body: { log_words } });
  const lineOf = async (turn: string) =>
    waitFor(async () => {
      const { body } = await assistant.call(`/admin/logs?turn=${turn}`, bearer);
      const found = JSON.stringify(body);
      return found.includes('the turn is over') && found;
    });

  await set(true);
  const health = await assistant.call('/health');
  const spoken = await assistant.ask('Where is the walrus?', {}, bearer);
  const open = await lineOf(String(spoken.headers['x-request-id']));
  await set(null);
  const silent = await assistant.ask('Where is the walrus?', {}, bearer);
  const closed = await lineOf(String(silent.headers['x-request-id']));

  expect(health.body).toMatchObject({ configured: { log_words: true } });
  expect(open).toContain('"said":{"heard":"Where is the walrus?","reply":"The walrus is well."}');
  expect(closed).not.toMatch(marked);
  expect((await assistant.call('/health')).body).toMatchObject({ configured: { log_words: false } });
});
