import type { Page } from 'playwright-core';

/** Strings that a person could say, name or write to run code in another person's browser. */
const hostile = [
  '<img src=x onerror="window.hit=1">',
  '<script>window.hit=1</script>',
  '"><b onmouseover=window.hit=1>x</b>',
  "';window.hit=1;//",
  'javascript:window.hit=1',
  '<svg/onload=window.hit=1>',
  '{{constructor.constructor("window.hit=1")()}}',
  '\u202Egnp.exe\u0000\u200B',
] as const;

const at = '2026-11-20T18:05:00.000Z';
const numbers = { took_ms: 12, start_ms: 3 };

/** Intercepts the page's requests from now on, and puts such strings into every string of the answers. */
export async function hostilePage(page: Page, address: string): Promise<void> {
  const answers: Record<string, unknown> = {
    '/admin/turns': {
      turns: hostile.map((text, index) => ({
        ...{
          id: `${index}${text}`,
          source: text,
          room: text,
          via: text,
          outcome: index % 2 ? 'done' : text,
          created_at: at,
        },
        ...{ timings: { total: 15, [text]: 3 }, spans: [{ name: text, ...numbers }], marks: { [text]: 4 } },
      })),
      percentiles: { total: { p50: 1, p95: 2, count: 3 } },
      hours: [{ at, percentiles: { total: { p50: 1, p95: 2, count: 3 } } }],
    },
    '/admin/timers': {
      timers: hostile.map((text) => ({
        id: text,
        kind: text,
        label: text,
        room: text,
        due_at: at,
        state: text,
        remaining_seconds: 60,
        repeats: text,
      })),
    },
    '/admin/lists': {
      lists: hostile.map((text) => ({ key: text, name: text, items: [{ key: text, text }] })),
    },
    '/admin/exchanges': {
      exchanges: hostile.map((text) => ({ conversation: text, turn: text, at, user: text, assistant: text })),
    },
    '/admin/satellites': {
      satellites: hostile.map((text) => ({
        ...{ client: text, room: text, connected: true, connected_since: text, seen_at: text, volume: 50 },
        ...{ muted: true, muted_until: text },
      })),
    },
    '/sentences': { groups: hostile.map((text) => ({ title: text, skill: text, sentences: [text] })) },
    '/admin/conversations': { conversations: hostile.map((name) => ({ name, turns: 1, last_at: at })) },
    '/admin/servers': {
      servers: hostile.map((text) => ({
        ...{ name: text, state: text, reason: text, since: at, model: text, version: text },
        ...{
          last_errors: [{ at, message: text }],
          replicas: [
            { url: text, state: text },
            { url: text, state: text },
          ],
        },
      })),
    },
    '/admin/checks': {
      checks: [
        { id: '1', started_at: at, took_ms: 1, ok: false, summary: hostile.join(' '), steps: stepsOf() },
      ],
    },
    '/admin/tokens': {
      tokens: hostile.map((text) => ({ name: text, scope: text, last_used_at: at, last_used_from: text })),
    },
    '/admin/network': { is_open: false, set_by: hostile[0], url: hostile[1], reverts_at: null },
    '/admin/restart': {
      apis: [],
      workers: hostile.map((instance) => ({ instance, started_at: at, draining: false, busy: 0 })),
    },
    '/admin/pipeline/history': {
      changes: [
        {
          revision: 1,
          at,
          changes: Object.fromEntries(hostile.map((text) => [text, { from: text, to: text }])),
        },
      ],
    },
  };
  for (const [path, body] of Object.entries(answers)) {
    await page.route(
      (url) => url.pathname === path,
      (route) => route.fulfill({ json: body }),
    );
  }
  await page.route(
    (url) => url.pathname === '/admin/logs',
    (route) => route.fulfill({ contentType: 'text/event-stream', body: hostile.map(lineOf).join('') }),
  );
  await page.route(
    (url) => url.href === `${address}/ask`,
    (route) => route.fulfill({ json: { reply: hostile.join('\n'), via: hostile[0] } }),
  );
  await page.getByLabel('Type a question').fill(hostile.join(' ').replaceAll(/\p{Cc}/gu, ''));
  await page.keyboard.press('Enter');
  await page.locator('.reply', { hasText: 'onerror' }).waitFor();
}

function stepsOf(): object[] {
  return hostile.map((text) => ({
    name: text,
    title: text,
    state: text,
    took_ms: 1,
    usual_ms: 1,
    message: text,
    advice: text,
  }));
}

function lineOf(text: string, index: number): string {
  const line = {
    id: `${index}`,
    at,
    level: text,
    process: text,
    instance: text,
    message: text,
    turn: text,
    err: { stack: text },
  };
  return `event: line\ndata: ${JSON.stringify(line)}\n\n`;
}
