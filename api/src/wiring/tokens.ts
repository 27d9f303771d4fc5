import { resample } from '../audio/resample.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { adminTokenRoutes } from '../http/admin-token-routes.ts';
import { createHeldCalls } from '../http/held-calls.ts';
import { joiningRoutes } from '../http/joining-routes.ts';
import { pairingRoutes } from '../http/pairing-routes.ts';
import { createRoomCheck } from '../http/room-check.ts';
import { createSay } from '../language/phrases.ts';
import { subscribeToChannel } from '../redis/channel.ts';
import { joinCodeOf } from '../tokens/join-code.ts';
import { createJoiningStore } from '../tokens/joining-store.ts';
import { createKnownTokens } from '../tokens/known-tokens.ts';
import { createPairings } from '../tokens/pairings.ts';
import { createTokenStore, restoredNews, tokensChannel } from '../tokens/token-store.ts';
import { createTokenUses } from '../tokens/token-uses.ts';
import type { ApiCore } from './api-core.ts';
import type { WiredHomeNetwork } from './home-network.ts';
import type { WiredHttps } from './https.ts';

/** How often to record the use of an open connection. */
const useEveryMs = 20_000;

export type WiredTokens = ReturnType<typeof wireTokens>;

/** The tokens of devices and programs, and their open connections. */
export function wireTokens(
  core: ApiCore,
  { address, httpsPort }: Pick<WiredHomeNetwork, 'address' | 'httpsPort'>,
  { caCertificate }: Pick<WiredHttps, 'caCertificate'>,
) {
  const { redis, subscriber, log, languages, onBadEvent } = core;
  const store = createTokenStore({ redis });
  const known = createKnownTokens({ redis, subscriber, store, onError: onBadEvent });
  const held = createHeldCalls({ isKnown: known.has });
  const uses = createTokenUses({
    store,
    onError: (error) => log.debug({ err: error }, 'failed to store the last use of a token'),
  });
  known.onRead(held.endRevoked);
  known.onRead(() => uses.forget((hash) => !known.has(hash)));
  const timer = setInterval(() => {
    for (const { token, from } of held.all()) uses.note(token, from);
  }, useEveryMs).unref();
  subscribeToChannel({
    subscriber,
    channel: tokensChannel,
    onMessage: (news) => {
      if (news === restoredNews) log.info('household restored from a backup by make restore');
    },
    onError: onBadEvent,
  });

  return {
    known,
    store,
    held,
    onUse: uses.note,
    handlers: {
      ...adminTokenRoutes({ store, known, log }),
      ...pairingRoutes({
        pairings: createPairings({ redis }),
        store,
        known,
        log,
        phoneAddress: address,
        joinCodeOf: (link) =>
          joinCodeOf({
            ...link,
            httpsPort: httpsPort(),
            caCertificate: caCertificate(),
            languages: languages.map(({ tag }) => tag),
          }),
      }),
      ...joiningRoutes({
        ...{ joinings: createJoiningStore({ redis, steady: core.clock.steady }), store, known, log },
        choices: core.satelliteChoices,
        checkRoom: createRoomCheck(() => core.settings.current().names),
        sayDigits: digitsAloud(core),
      }),
    },
    stop: () => clearInterval(timer),
  };
}

const aloudWithinMs = 10_000;

/** Speaks six digits one by one. */
function digitsAloud({ workerCalls, settings, language }: ApiCore) {
  const say = createSay(language.phrases);
  return async (digits: string) => {
    const text = say('let_me_in', { digits: [...digits].join(', ') });
    const { voice, speed } = settings.current();
    const limits = { withinMs: aloudWithinMs, signal: AbortSignal.timeout(aloudWithinMs) };
    const sound = await workerCalls.say(text, { voice, speed }, limits);
    return sound && (await resample(sound, speechRateHz));
  };
}
