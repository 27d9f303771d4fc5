import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../../api/src/http/system-clock.ts';
import type { ServerEvent } from '../../../../api/src/listen/events/listen-events.ts';
import { createAttention } from '../../../../api/src/listen/utterance/attention.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  ['forward', 86_400_000],
  ['back', -86_400_000],
])('the time without the name goes on although the clock jumps %s', (_, jumpMs) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const sent: ServerEvent[] = [];
  const attention = createAttention({
    clock: systemClock,
    mode: () => 'name',
    names: () => ['Computer'],
    phrases: () => [],
    send: (event) => void sent.push(event),
    isAudible: () => false,
    isBusy: () => false,
    onCalled: () => undefined,
    onGoOn: () => undefined,
  });
  const rule = () => attention.ruleAt(systemClock.nowMs())?.nameRule;

  const before = rule();
  attention.called();
  vi.setSystemTime(Date.now() + jumpMs);
  const after = rule();
  attention.stop();

  expect([before, after]).toEqual(['needed', 'not_needed']);
  expect(sent).toMatchObject([
    { awake: true, reason: 'called', for_ms: 7_000 },
    { awake: false, reason: 'ended' },
  ]);
});
