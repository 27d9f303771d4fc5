import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let home: FakeHome;
let assistant: Assistant;

const furnish = () => home.gains('fan.desk', { name: 'Desk fan', area: 'Office', state: 'off' });

beforeAll(async () => {
  [redis, llm, home] = await Promise.all([startRedis(), startFakeLlm(), startFakeHome()]);
  furnish();
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, env: home.env });
});
beforeEach(() => {
  home.forget();
  furnish();
  llm.calls.length = 0;
});
afterAll(async () => {
  await assistant?.stop();
  await home?.stop();
  await llm?.stop();
  await redis?.stop();
});

const kitchen = { client: 'tablet', room: 'kitchen' };

describe('an assistant with a home', () => {
  test('reports it', async () => {
    expect((await assistant.call('/health')).body).toMatchObject({ configured: { home: true } });
  });

  test('carries out house commands without the model', async () => {
    const { body } = await assistant.ask('Turn on the kitchen lights.', kitchen);

    expect(body).toEqual({ reply: 'Turned on the lights.', via: 'home' });
    expect(home.stateOf('light.kitchen_counter')).toBe('on');
    expect(llm.calls).toEqual([]);
  });

  test('tells the timers and the things of the house that run', async () => {
    home.gains('fan.desk', {
      ...{ name: 'Desk fan', area: 'Office', state: 'on' },
      attributes: { friendly_name: 'Desk fan' },
    });
    await assistant.ask('Set a timer for ten minutes.', kitchen);

    const { body } = await assistant.ask('What is running?', kitchen);

    expect(body).toEqual({
      reply: expect.stringMatching(/^There is one timer.* Desk fan\.$/),
      via: 'skills',
    });
    await assistant.ask('Cancel the timer.', kitchen);
  });

  test('undoes them', async () => {
    await assistant.ask('Turn on the bedside lamp.', kitchen);

    const { body } = await assistant.ask('Undo that.', kitchen);

    expect(body).toEqual({ reply: 'Okay, I put Bedside lamp back as before.', via: 'skills' });
    expect(home.stateOf('light.bedside_lamp')).toBe('off');
  });

  test.each(['Cancel.', 'No, cancel.'])('undoes them on %j', async (text) => {
    await assistant.ask('Turn on the bedside lamp.', kitchen);

    const { body } = await assistant.ask(text, kitchen);

    expect(body).toEqual({ reply: 'Okay, I put Bedside lamp back as before.', via: 'skills' });
    expect(home.stateOf('light.bedside_lamp')).toBe('off');
  });

  test('undoes nothing on "cancel" after another answer', async () => {
    await assistant.ask('Turn on the bedside lamp.', kitchen);
    await assistant.ask('What time is it?', kitchen);

    const { body } = await assistant.ask('Cancel.', kitchen);

    expect(body).toEqual({ reply: 'All right.', via: 'skills' });
    expect(home.stateOf('light.bedside_lamp')).toBe('on');
  });

  test('corrects a command that was meant for another room', async () => {
    await assistant.ask('Turn on the kitchen lights.', kitchen);

    const { body } = await assistant.ask('No, the bedroom.', kitchen);

    expect(body).toEqual({
      reply: 'Okay, I put Kitchen ceiling and Kitchen counter back as before. Turned on the lights.',
      via: 'home',
    });
    expect([home.stateOf('light.kitchen_counter'), home.stateOf('light.bedside_lamp')]).toEqual([
      'off',
      'on',
    ]);
  });

  test('says that it does not know the place of a correction, and does nothing', async () => {
    await assistant.ask('Turn off the kitchen lights.', kitchen);

    const { body } = await assistant.ask('No, the basement.', kitchen);

    expect(body).toEqual({ reply: 'I do not know any basement.', via: 'home' });
    expect(home.stateOf('light.kitchen_counter')).toBe('off');
  });

  test('takes a step for the last things, up and down', async () => {
    const sent = () => home.services.map(({ service, ids }) => `${service} ${ids}`);

    for (const text of ['Turn on the desk fan.', 'Turn it up.', 'A bit more.', 'Less.', 'Slower.'])
      await assistant.ask(text, kitchen);

    expect(sent().slice(-4)).toEqual([
      'fan/increase_speed fan.desk',
      'fan/increase_speed fan.desk',
      'fan/decrease_speed fan.desk',
      'fan/decrease_speed fan.desk',
    ]);
  });

  test('takes a step after a command to the whole house for the room of the person', async () => {
    await assistant.ask('Turn on all the lights.', kitchen);
    await assistant.ask('Turn off all the lights.', kitchen);
    await assistant.ask('Set the brightness to 60 percent.', kitchen);

    const lamps = ['light.kitchen_counter', 'light.bedside_lamp'].map(home.stateOf);
    expect(lamps).toEqual(['on', 'off']);
  });

  test('schedules nothing that is to happen again and again', async () => {
    const { body } = await assistant.ask('Every evening at eight turn on the bedside lamp.', kitchen);

    expect(body).toMatchObject({ reply: expect.stringMatching(/^I can do that once, but not again/) });
    expect((await assistant.call('/admin/timers')).body).toEqual({ timers: [] });
  });

  test('keeps a command whose correction is impossible', async () => {
    await assistant.ask('Turn on the kitchen lights.', kitchen);

    await assistant.ask('No, the sauna.', kitchen);
    await assistant.ask('What is the capital of France?', kitchen);
    await assistant.ask('No, the bedroom.', kitchen);

    expect([home.stateOf('light.kitchen_counter'), home.stateOf('light.bedside_lamp')]).toEqual([
      'on',
      'off',
    ]);
  });

  test('carries out a scheduled command later, and shows it until then', async () => {
    const { body } = await assistant.ask('Turn on the bedside lamp in two seconds.', kitchen);
    expect(body).toEqual({ reply: 'All right: Turn on the bedside lamp, in two seconds.', via: 'home' });
    expect((await assistant.call('/admin/timers')).body).toMatchObject({
      timers: [{ kind: 'command', label: 'Turn on the bedside lamp', room: 'kitchen', state: 'running' }],
    });

    await waitFor(() => home.stateOf('light.bedside_lamp') === 'on', { what: 'the lamp is on' });

    await waitFor(
      async () => JSON.stringify((await assistant.call('/admin/timers')).body) === '{"timers":[]}',
      { what: 'nothing is planned any more' },
    );
    expect(home.calls).toHaveLength(1);
  });

  test('carries out several requests of one sentence', async () => {
    const { body } = await assistant.ask('Turn on the kitchen lights and tell me the time.', kitchen);

    expect(body).toMatchObject({
      reply: expect.stringMatching(/^Turned on the lights. It is /),
      via: 'skills',
    });
    expect(home.stateOf('light.kitchen_counter')).toBe('on');
  });

  test('"stop it" stops a moving device, and switches others back', async () => {
    await assistant.ask('Open the blinds.', kitchen);
    expect((await assistant.ask('Stop it.', kitchen)).body).toMatchObject({ via: 'home' });
    expect(home.services.at(-1)).toEqual({ service: 'cover/stop_cover', ids: ['cover.blinds'] });
    await assistant.ask('Turn on the bedside lamp.', kitchen);

    expect((await assistant.ask('Stop it.', kitchen)).body).toMatchObject({
      reply: 'Okay, I put Bedside lamp back as before.',
    });
    expect(home.stateOf('light.bedside_lamp')).toBe('off');
  });

  test('forgets its actions with the rest of a conversation', async () => {
    await assistant.ask('Turn on the bedside lamp.', kitchen);
    await assistant.ask('Forget this conversation.', kitchen);

    await assistant.ask('Turn it off.', kitchen);
    expect(home.stateOf('light.bedside_lamp')).toBe('on');
    expect((await assistant.ask('Undo that.', kitchen)).body).toMatchObject({
      reply: 'There is nothing to undo.',
    });
  });

  test('says that it can control the house', async () => {
    expect((await assistant.ask('What else can you do?', kitchen)).body).toMatchObject({
      reply: expect.stringContaining('control your home'),
    });
  });

  test('still answers other questions', async () => {
    llm.answers(() => 'The capital of France is Paris.');

    const { body } = await assistant.ask('What is the capital of France?', kitchen);

    expect(body).toEqual({ reply: 'The capital of France is Paris.', via: 'local' });
    expect(home.calls).toEqual([]);
  });

  test('says that it cannot reach the home', async () => {
    await home.stop();

    const { status, body } = await assistant.ask('Turn on the kitchen lights.', kitchen);

    await home.start();
    expect([status, body]).toEqual([200, { reply: 'I cannot reach Home Assistant.', via: 'home' }]);
  });

  test('logs neither its words nor its token', async () => {
    home.plays(() => 500);
    await assistant.ask('Turn on the kitchen lights.', kitchen);

    const lines = [...assistant.log, ...assistant.workers.flatMap(({ log }) => log)].join('\n');
    expect(lines).toContain('"trouble":"broken"');
    expect(lines).not.toMatch(/kitchen lights|long-lived/i);
  });
});
