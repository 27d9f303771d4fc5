import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enterRoom, type Room, voiceOf } from '../support/clients/room.ts';
import { isReady, type RunningApi, startApi } from '../support/servers/assistant.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: VoiceHousehold;
let other: RunningApi;
let rooms: Room[] = [];

beforeAll(async () => {
  home = await startVoiceHousehold({ env: { TZ: 'UTC' } });
  other = await startApi({ ...home.urls });
  await isReady(other);
});
beforeEach(() => {
  home.forget();
  home.piper.speaks(voiceOf);
});
afterEach(async () => {
  await Promise.all(rooms.map(({ leave }) => leave()));
  rooms = [];
  await home.store.del('hearth:speakers');
  // The processes read it again.
  await home.store.publish('hearth:speaker-news', '');
});
afterAll(async () => {
  await other?.stop();
  await home?.stop();
});

const enter = async (client: string, { address }: { address: string } = home.assistant) => {
  const room = await enterRoom(address, { client, room: 'kitchen' });
  rooms.push(room);
  await room.event('session.created');
  return room;
};
const turns = new WeakMap<Room, number>();
/** Says this; returns the answer and its maximum loudness. */
const say = async (room: Room, words: string) => {
  home.stt.hears(() => words);
  const nth = turns.get(room) ?? 0;
  turns.set(room, nth + 1);
  await room.say('hello');
  const { done, sound } = await room.exchange(nth, 20_000);
  const samples = new Int16Array(new Uint8Array(sound).buffer);
  return { reply: done.reply, loudest: samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0) };
};
const speakerOf = (room: Room) => {
  const changes = room.events.flatMap(({ event }) =>
    event.type === 'speaker.changed'
      ? [event.speaker]
      : event.type === 'session.created'
        ? [event.session.speaker]
        : [],
  );
  return changes.at(-1);
};
const ask = async (text: string, client: string) => {
  const { body } = await home.assistant.call('/ask', { body: { text, client } });
  return (body as { reply: string }).reply;
};

describe('the speaker of a conversation', () => {
  test('gets quieter and louder, confirms it at that volume, and names its limits', {
    tags: 'slow',
  }, async () => {
    const room = await enter('kitchen');

    const loudest = await say(room, 'Louder.');
    const half = await say(room, 'Volume 50 percent.');
    const told = speakerOf(room);
    const more = await say(room, 'A bit louder, please.');

    expect(loudest.reply).toBe('That is as loud as I get.');
    expect(half.reply).toBe('Volume 50 percent.');
    expect(told).toMatchObject({ volume: 50, muted: false });
    expect(more.reply).toBe('Volume 60 percent.');
    expect(half.loudest / loudest.loudest).toBeCloseTo(0.25, 1);
    expect(more.loudest / loudest.loudest).toBeCloseTo(0.36, 1);
  });

  test('asks which of two volumes is meant, and takes the answer', async () => {
    const room = await enter('kitchen');

    expect(await ask('Set the volume to ten.', 'kitchen')).toBe('Ten percent, or full?');
    expect(await ask('Ten percent.', 'kitchen')).toBe('Volume 10 percent.');
    await waitFor(() => speakerOf(room)?.volume === 10);
  });

  test('keeps its volume after a reconnect, in another process too', async () => {
    const room = await enter('kitchen');
    await say(room, 'Volume 40 percent.');
    await Promise.all(rooms.map(({ leave }) => leave()));
    rooms = [];

    const again = await enter('kitchen', other);
    const bath = await enter('bath');

    expect(speakerOf(again)).toMatchObject({ volume: 40 });
    expect(speakerOf(bath)).toMatchObject({ volume: 100 });
  });

  test('stays muted for the rest of the hour after it and Hearth restart', { tags: 'slow' }, async () => {
    const room = await enter('kitchen');
    // The same words as in another test would be taken for one sentence that two satellites heard.
    await say(room, 'Volume 30 percent.');
    await say(room, 'Mute yourself for an hour.');
    await Promise.all(rooms.map(({ leave }) => leave()));
    rooms = [];
    const anew = await startApi({ ...home.urls });
    await isReady(anew);

    const again = await enter('kitchen', anew);
    const told = speakerOf(again);
    await again.leave();
    await anew.stop();
    rooms = [];

    expect(told).toMatchObject({ volume: 30, muted: true });
    expect(told?.muted_ms).toBeGreaterThan(3_000_000);
    expect(told?.muted_ms).toBeLessThan(3_600_000);
  });

  test('is restored by "undo that"', { tags: 'slow' }, async () => {
    const room = await enter('kitchen');
    await say(room, 'Volume 70 percent.');

    const undone = await say(room, 'Undo that.');

    expect(undone.reply).toBe('My volume is 100 percent again.');
    expect(speakerOf(room)).toMatchObject({ volume: 100 });
  });

  test('is muted for a time, says so, then only shows its answers, and is unmuted', {
    tags: 'slow',
  }, async () => {
    const room = await enter('kitchen');

    const muted = await say(room, 'Mute yourself for an hour.');
    const told = speakerOf(room);
    const silent = await say(room, 'What is two plus two?');
    const back = await say(room, 'Unmute.');

    expect(muted.reply).toBe('I am muted for one hour. Timers and alarms still ring.');
    expect(muted.loudest).toBeGreaterThan(0);
    expect(told).toMatchObject({ muted: true });
    expect(told?.muted_ms).toBeGreaterThan(3_590_000);
    expect(silent).toEqual({ reply: '2 plus 2 is 4.', loudest: 0 });
    expect(back.reply).toBe('I am not muted any more. Volume 100 percent.');
    expect(back.loudest).toBeGreaterThan(0);
  });

  test('rings while it is muted', { tags: 'slow' }, async () => {
    const room = await enter('kitchen');
    await say(room, 'Mute yourself.');
    await say(room, 'Set a timer for one second.');

    await room.event('timer.finished');
    const rung = await waitFor(
      () => room.sounds.filter(({ samples }) => samples.some((byte) => byte !== 0)).length > 3,
    );

    expect(rung).toBe(true);
    await ask('Stop.', 'kitchen');
  });

  test('is not changed by words typed elsewhere, or for a player', async () => {
    const room = await enter('kitchen');
    const typed = await ask('Volume 30 percent.', 'typist');
    const player = await say(room, 'Turn the volume of the TV down.');

    expect(typed).not.toContain('Volume 30 percent');
    expect(player.reply).not.toMatch(/^Volume/);
    expect(speakerOf(room)).toMatchObject({ volume: 100 });
  });

  test('obeys its own knob, which every process knows', async () => {
    const room = await enter('kitchen');
    room.send({ type: 'speaker.update', speaker: { volume: 35, volume_control: 'client' } });
    await room.event('speaker.changed');

    const told = await say(room, 'How loud are you?');
    await waitFor(async () => (await home.store.hget('hearth:speakers', 'kitchen'))?.includes('35'));

    expect(told.reply).toBe('My volume is 35 percent.');
    expect(speakerOf(room)).toMatchObject({ volume: 35, volume_control: 'client' });
  });
});
