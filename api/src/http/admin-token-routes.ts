import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type DeviceToken, digestOf, newSecret } from '../tokens/device-token.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { ownersTokenName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';

interface TokenRoutesOptions {
  store: TokenStore;
  known: Pick<KnownTokens, 'refresh'>;
  log: Logger;
}

type TokenHandlers = Pick<Handlers, 'listTokens' | 'makeToken' | 'revokeToken'>;

/** Lists, creates and revokes the tokens of devices and programs. */
export function adminTokenRoutes({ store, known, log }: TokenRoutesOptions): TokenHandlers {
  return {
    async listTokens() {
      const [tokens, uses] = await Promise.all([store.all(), store.uses()]);
      return {
        tokens: tokens.map((token) => {
          const use = uses.get(token.name);
          return {
            ...shown(token),
            made_by: token.madeBy,
            last_used_at: use ? new Date(use.at).toISOString() : null,
            last_used_from: use?.from ?? null,
          };
        }),
      };
    },

    async makeToken({ body: { name: given, scope }, request: { caller }, reply }) {
      const name = given.normalize();
      const secret = newSecret();
      const hash = digestOf(secret).toString('hex');
      const token: DeviceToken = { name, hash, scope, madeAt: Date.now(), madeBy: caller.tokenName };
      const outcome = name === ownersTokenName ? 'exists' : await store.make(token);
      if (outcome === 'exists') throw new AppError('token_exists', undefined, { param: 'name' });
      if (outcome === 'full') throw new AppError('too_many_tokens');
      // The new token must work immediately, at least in this process.
      await known.refresh();
      log.info({ token_name: caller.tokenName, name, scope }, 'token created');
      return reply.code(201).send({ ...shown(token), token: secret });
    },

    async revokeToken({ path: { name: given }, request: { caller } }) {
      const token = await store.revoke(given.normalize());
      if (!token)
        throw new AppError('not_found', 'There is no access key with this name.', { param: 'name' });
      await known.refresh();
      log.info({ token_name: caller.tokenName, name: token.name, scope: token.scope }, 'token revoked');
      return shown(token);
    },
  };
}

function shown({ name, scope, madeAt }: DeviceToken) {
  return { name, scope, made_at: new Date(madeAt).toISOString() };
}
