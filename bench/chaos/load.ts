import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { writeWav } from '../../api/src/audio/wav.ts';
import { spokenClip } from '../../tests/support/audio/spoken-clips.ts';
import { spelled } from '../spelled.ts';
import type { ChaosHouse } from './house.ts';
import { call, type Outcome } from './outcomes.ts';
import { openRooms } from './rooms.ts';

/** A conversation keeps 200 turns; the check reads all of them. */
const turnsPerClient = 60;
const maxOutcomes = 500_000;

/** A timer of the load, and how late it rang. */
interface TimerOfLoad {
  name: string;
  dueAtMs: number;
}

export type Load = ReturnType<typeof startLoad>;

interface LoadOptions {
  callers: number;
  rooms: readonly string[];
  /** Also bad recordings, hang-ups, followed logs and all data that the page reads. */
  isMixed: boolean;
  signal: AbortSignal;
}

const skills = ['What time is it?', 'How much is 7 times 8?', 'What timers are there?', 'What day is it?'];
const pages = [
  '/health',
  '/admin/logs?limit=200',
  '/admin/turns',
  '/admin/metrics',
  '/admin/servers',
  '/admin/timers',
  '/',
];
const recording = writeWav({ sampleRateHz: 16_000, samples: spokenClip('weather') });
const noise = Buffer.alloc(20_000, 7);

/** Callers and satellites that ask until they are stopped. Every question to the model has a unique mark. */
export function startLoad(house: ChaosHouse, { callers, rooms: names, isMixed, signal }: LoadOptions) {
  const { url } = house;
  const outcomes: Outcome[] = [];
  const clients = new Set<string>();
  const timers: TimerOfLoad[] = [];
  let failedTimers = 0;
  let marks = 100_000;
  let isOn = true;

  const note = (outcome: Outcome): Outcome => {
    if (outcomes.length < maxOutcomes) outcomes.push(outcome);
    return outcome;
  };
  const again = async (intervalMs: number, work: (round: number) => Promise<unknown>): Promise<void> => {
    await delay(Math.random() * intervalMs);
    for (let round = 0; isOn && !signal.aborted; round += 1) {
      const begunAt = performance.now();
      await work(round);
      await delay(Math.max(0, intervalMs - (performance.now() - begunAt)));
    }
  };
  const ask = async (who: string, round: number): Promise<Outcome> => {
    const client = `${who}-${Math.floor(round / turnsPerClient)}`;
    clients.add(client);
    marks += 1;
    const mark = `M${marks}`;
    return note(
      await call(url, {
        what: 'ask',
        path: '/ask',
        body: { text: `tell me about ${mark} please`, client },
        client,
        mark,
      }),
    );
  };
  const post = async (what: string, path: string, body: object | Buffer) =>
    note(await call(url, { what, path, body }));

  const rooms = openRooms(url, names, signal);
  const work = Array.from({ length: callers }, (_, caller) =>
    again(250, (round) => ask(`caller${caller}`, round)),
  );
  work.push(
    again(900, (round) =>
      post('skill', '/ask', { text: skills[round % skills.length] ?? '', client: 'skills' }),
    ),
    again(4_000, () => post('voice', '/voice?client=speaker', recording)),
    again(2_500, () => {
      const messages = [{ role: 'user', content: 'Tell me about boats please.' }];
      return post('chat', '/v1/chat/completions', { model: 'assistant', stream: true, messages });
    }),
    rooms.talk(() => isOn),
  );
  if (isMixed) work.push(...startExtras({ url, again, note, post, setTimer: () => setTimer(8) }));

  /** Sets a timer with a unique name in the first room. */
  async function setTimer(seconds: number): Promise<void> {
    // Letters only: the skill could read a number in it as a time.
    const name = spelled(100 + timers.length + failedTimers);
    const begunAt = performance.now();
    const body = {
      text: `Set a timer for ${seconds} seconds called ${name}.`,
      client: 'timers',
      room: names[0] ?? 'kitchen',
    };
    const outcome = await call(url, { what: 'timer', path: '/ask', body });
    note(outcome);
    if (outcome.kind === 'answered') timers.push({ name, dueAtMs: begunAt + seconds * 1_000 });
    else failedTimers += 1;
  }

  return {
    outcomes,
    timers,
    setTimer,
    rooms,
    clients,
    /** Asks until an answer comes; returns how long that took, or null after the limit. */
    async untilAnswered(limitMs: number): Promise<number | null> {
      const begunAt = performance.now();
      for (let round = 0; performance.now() - begunAt < limitMs; round += 1) {
        const outcome = await ask('watcher', round);
        if (outcome.kind === 'answered') return performance.now() - begunAt;
        await delay(100);
      }
      return null;
    },
    async stop(): Promise<void> {
      isOn = false;
      await Promise.all(work);
      // Lets the satellites play the last spoken answers to their end.
      await delay(12_000);
      rooms.close();
    },
  };
}

interface ExtrasOptions {
  url: string;
  again: (intervalMs: number, work: (round: number) => Promise<unknown>) => Promise<void>;
  note: (outcome: Outcome) => Outcome;
  post: (what: string, path: string, body: object | Buffer) => Promise<Outcome>;
  setTimer: () => Promise<void>;
}

/** The load besides questions: pages, bad recordings, callers that disconnect, followed logs, timers. */
function startExtras({ url, again, note, post, setTimer }: ExtrasOptions): Promise<void>[] {
  return [
    again(2_000, async (round) => {
      const path = pages[round % pages.length] ?? '/';
      note(await call(url, { what: 'page', path }));
    }),
    again(9_000, () => post('bad recording', '/voice', noise)),
    // Callers that disconnect are not counted, but the state that they leave is.
    again(7_000, async () => {
      const body = { text: 'tell me about M1 please' };
      await call(url, { what: 'hang-up', path: '/ask', body, signal: AbortSignal.timeout(150) });
    }),
    again(20_000, async () => {
      await call(url, {
        what: 'follow',
        path: '/admin/logs?follow=true',
        signal: AbortSignal.timeout(5_000),
      });
    }),
    again(30_000, setTimer),
  ];
}

const keptSchema = z.looseObject({
  exchanges: z.array(z.looseObject({ user: z.string(), assistant: z.string() })),
});

/** How often each mark is stored, and the marks that are stored with another mark's answer. */
export async function keptMarks(
  house: ChaosHouse,
  load: Load,
): Promise<{ times: Map<string, number>; mixed: string[] }> {
  const times = new Map<string, number>();
  const mixed: string[] = [];
  for (const client of load.clients) {
    const { kind, reply } = await call(house.url, {
      what: 'kept',
      path: `/admin/conversations/${encodeURIComponent(client)}`,
    });
    if (kind !== 'answered') continue; // A call that failed every time leaves no record.
    for (const { user, assistant } of keptSchema.parse(JSON.parse(reply)).exchanges) {
      const [questionMark, answered] = [markIn(user), markIn(assistant)];
      if (questionMark === undefined) continue;
      times.set(questionMark, (times.get(questionMark) ?? 0) + 1);
      if (answered !== questionMark) mixed.push(questionMark);
    }
  }
  return { times, mixed };
}

export function markIn(text: string): string | undefined {
  return /\bM\d+\b/.exec(text)?.[0];
}

const timersSchema = z.looseObject({
  timers: z.array(z.looseObject({ id: z.string(), state: z.string() })),
});

/** Stops every ringing timer, as a person at home would. */
export async function stopRings(house: ChaosHouse): Promise<void> {
  const { kind, reply } = await call(house.url, { what: 'timers', path: '/admin/timers' });
  if (kind !== 'answered') return;
  const ringing = timersSchema.parse(JSON.parse(reply)).timers.filter(({ state }) => state === 'ringing');
  for (const { id } of ringing) {
    await call(house.url, { what: 'stop', path: `/admin/timers/${id}`, method: 'DELETE' });
  }
}
