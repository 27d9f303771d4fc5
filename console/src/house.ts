import { computed, effect, signal, untracked } from '@preact/signals';
import type { components } from '../../api/src/http/contract-types.ts';
import { t } from './language/translate.ts';
import { createDeviceKeeper } from './live/device.ts';
import { createNotifier } from './live/notifier.ts';
import { createRinging, type Timer } from './live/ringing.ts';
import { createTalk } from './live/talk.ts';
import { createWakeLock } from './live/wake-lock.ts';
import { showBadge } from './phone/app-worker.ts';
import { type Again, createAgain } from './server/again.ts';
import { CallError, createCaller, isUnanswered, sentenceOf } from './server/call.ts';
import { createPoll, type Poll } from './server/poll.ts';
import { bodyOf } from './server/shapes.ts';
import { createTokenKeeper, socketProtocols } from './server/token.ts';
import { createSettingsDesk } from './settings/desk.ts';

export type Health = Partial<components['schemas']['Health']>;
export type House = ReturnType<typeof createHouse>;

/** Frequent enough to see an engine that restarts within five seconds. /health answers from memory. */
const healthEveryMs = 2_000;
/**
 * Maximum delay until a timer of another room appears. The live connection reports timers of this room at
 * once.
 */
const timersEveryMs = 3_000;

/** The shared data and actions of the page, created once and passed to every view. */
export function createHouse() {
  const tokens = createTokenKeeper({ tab: sessionStorage, device: localStorage });
  const keeper = createDeviceKeeper(localStorage);
  /** Why the page asks for a token; null: it does not. */
  const wanted = signal<string | null>(null);
  const caller = createCaller({
    token: tokens.token,
    onUnauthorized: (message) => {
      wanted.value = tokens.token.value === null ? '' : message;
    },
  });
  const again = createAgain();
  const health = createPoll<Health>(
    async (given) => {
      const { body } = await caller.call('/health', { signal: given });
      return bodyOf<components['schemas']['Health']>(body);
    },
    healthEveryMs,
    { again, isAway: isUnanswered },
  );
  const reach = createReach(health, again);
  const timers = createPoll<{ timers?: Timer[] }>(
    async (given) =>
      bodyOf<{ timers: Timer[] }>((await caller.call('/admin/timers', { signal: given })).body),
    timersEveryMs,
    { whenHidden: true, ...reach },
  );
  const ringing = createRinging({ caller, timers });
  /** The household's time zone, which may differ from this device's. */
  const timeZone = computed(() => health.state.value.value?.configured?.time_zone);
  const isZoneDecided = computed(
    () => health.state.value.value !== null || health.state.value.trouble !== null,
  );
  const notifier = createNotifier();

  const listenAddress = (): URL => {
    const url = new URL('/listen', location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const { name, room } = keeper.device.value;
    url.searchParams.set('client', name);
    if (room !== '') url.searchParams.set('room', room);
    return url;
  };
  const talk = createTalk({
    caller,
    keeper,
    address: () => ({ url: listenAddress(), protocols: socketProtocols(tokens.token.value) }),
    whyRefused: () => whyRefused(caller),
    onTimers: () => void timers.ask(),
  });

  /** Tries a token; returns a sentence if it is refused. */
  const settings = createSettingsDesk({ caller, isAway: reach.isAway });

  const enter = async (token: string, isRemembered: boolean): Promise<string | null> => {
    tokens.keep(token, { isRemembered });
    try {
      await caller.call('/v1/models');
    } catch (error) {
      if (error instanceof CallError && error.status === 401) tokens.forget();
      return sentenceOf(error);
    }
    wanted.value = null;
    return null;
  };
  const leave = (): void => {
    tokens.forget();
    talk.disconnect();
    talk.forget();
    settings.forget();
    wanted.value = '';
  };
  effect(() => {
    const isLetIn = wanted.value === null;
    // Values read in here must not become dependencies of the effect.
    untracked(isLetIn ? talk.connect : talk.disconnect);
    return isLetIn ? untracked(timers.watch) : undefined;
  });
  effect(() => notifier.show(ringing.rings.value));
  const ringCount = computed(() => ringing.rings.value.length);
  effect(() => showBadge(ringCount.value));
  const wakeLock = createWakeLock();
  effect(() => wakeLock.want(keeper.device.value.mode !== 'hold' && talk.microphoneState.value === 'open'));
  effect(() => (settings.isUnkept.value ? askBeforeLeaving() : undefined));
  again.listen(talk.wake);

  return {
    ...{
      caller,
      keeper,
      health,
      reach,
      timers,
      timeZone,
      isZoneDecided,
      ringing,
      notifier,
      talk,
      settings,
      wanted,
    },
    ...{ hasToken: () => tokens.token.value !== null, enter, leave },
  };
}

/** Makes the browser ask before it closes or reloads the page. Returns a function that ends this. */
function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}

/** Whether the server can be reached, and when to retry. */
function createReach(health: Poll<Health>, again: Again) {
  const isLost = computed(() => health.state.value.isAway);
  let wasLost = false;
  effect(() => {
    if (wasLost && !isLost.value) untracked(again.tell);
    wasLost = isLost.value;
  });
  addEventListener('online', again.tell);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') again.tell();
  });
  return {
    isLost,
    again,
    /** Whether an error means that the server is unreachable. One failed route does not prove it. */
    async isAway(error: unknown): Promise<boolean> {
      if (!isUnanswered(error)) return false;
      await health.settled();
      return isLost.value;
    },
  };
}

/** A plain request to /listen returns the reason, which browsers hide for a refused WebSocket. */
async function whyRefused(caller: ReturnType<typeof createCaller>) {
  try {
    await caller.call('/listen');
  } catch (error) {
    // 426: everything works, but this request was not a WebSocket.
    if (error instanceof CallError && error.status === 426) {
      return { why: t('The connection to Hearth could not be opened.'), isFinal: false };
    }
    const isFinal = error instanceof CallError && (error.status === 401 || error.status === 403);
    return { why: sentenceOf(error), isFinal };
  }
  return { why: t('The connection to Hearth could not be opened.'), isFinal: false };
}
