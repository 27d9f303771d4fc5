import { adminTokenRoutes } from '../http/admin-token-routes.ts';
import { createHeldCalls } from '../http/held-calls.ts';
import { hearChannel } from '../redis/channel.ts';
import { createKnownTokens } from '../tokens/known-tokens.ts';
import { createTokenStore, restoredNews, tokensChannel } from '../tokens/token-store.ts';
import { createTokenUses } from '../tokens/token-uses.ts';
import type { ApiCore } from './api-core.ts';

/** A connection that stays open is in use all the time. It is noted as often as every use is. */
const useEveryMs = 20_000;

/** The tokens of devices and programs, and the calls that they have open. */
export function wireTokens({ redis, subscriber, log, onBadEvent }: ApiCore) {
  const store = createTokenStore({ redis });
  const known = createKnownTokens({ redis, subscriber, store, onError: onBadEvent });
  const held = createHeldCalls({ isKnown: known.has });
  const uses = createTokenUses({
    store,
    onError: (error) => log.debug({ err: error }, 'the last use of a token was not noted'),
  });
  known.onRead(held.endRevoked);
  known.onRead(() => uses.forget((hash) => !known.has(hash)));
  const timer = setInterval(() => {
    for (const { token, from } of held.all()) uses.note(token, from);
  }, useEveryMs).unref();
  hearChannel({
    subscriber,
    channel: tokensChannel,
    onMessage: (news) => {
      if (news === restoredNews) log.info('the household was put back as a backup holds it, by make restore');
    },
    onError: onBadEvent,
  });

  return {
    known,
    held,
    onUse: uses.note,
    handlers: adminTokenRoutes({ store, known, log }),
    stop: () => clearInterval(timer),
  };
}
