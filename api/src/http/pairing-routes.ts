import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type DeviceToken, digestOf, newSecret } from '../tokens/device-token.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import { type Pairing, type Pairings, pairingLastsS } from '../tokens/pairings.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { ownersTokenName } from './caller.ts';
import { callerAddress } from './caller-address.ts';
import type { Handlers } from './contract-routes.ts';
import { createGuesses } from './guesses.ts';

interface PairingRoutesOptions {
  pairings: Pairings;
  store: Pick<TokenStore, 'make' | 'all'>;
  known: Pick<KnownTokens, 'refresh'>;
  log: Logger;
  /**
   * The address of a page that phones can reach, and whether it uses https. Null: other devices cannot reach
   * it.
   */
  phoneAddress: () => { url: string; isSecure: boolean } | null;
  /** The code for `make join`. Null: only http is served. */
  joinCodeOf: (link: { url: string; code: string }) => string | null;
}

/** Maximum number of phones with the same name; numbers distinguish them. */
const maxNamesakes = 100;
const longestName = 40;

const notOpen =
  'Hearth answers only this machine. To open it to your phone, run "make phone" in a terminal here.';
const noHttps = 'Other machines can join only over https. Set HTTPS=1 in .env, and restart.';
const noCode = 'This link has been used already, or is older than ten minutes. Make another one.';

/** Gives a phone, or a machine that lends its engines, its token by a code that works once. */
export function pairingRoutes(options: PairingRoutesOptions): Pick<Handlers, 'beginPairing' | 'pair'> {
  const { pairings, known, log, phoneAddress, joinCodeOf } = options;
  const guesses = createGuesses({ now: () => performance.now() });

  return {
    async beginPairing({ body: { scope, name }, request: { caller }, reply }) {
      const address = phoneAddress();
      if (!address) throw new AppError('not_possible', notOpen);
      const expiresAt = new Date(Date.now() + 1_000 * pairingLastsS).toISOString();
      const pairing = { scope, name: name?.normalize() ?? null, madeBy: caller.tokenName };
      if (scope === 'lend' && (await options.store.all()).some((token) => token.name === pairing.name))
        throw hasJoined(pairing.name);
      const code = await pairings.begin(pairing);
      const url = `${address.url}/phone#${code}`;
      const joinCode = scope === 'lend' ? joinCodeOf({ url, code }) : null;
      if (scope === 'lend' && joinCode === null) throw new AppError('not_possible', noHttps);
      log.info({ token_name: caller.tokenName, name, scope }, 'pairing link created');
      const link = { url, code, expires_at: expiresAt, is_secure: address.isSecure, join_code: joinCode };
      return reply.code(201).send(link);
    },

    async pair({ body: { code, name }, request, reply }) {
      const pairing = await pairings.take(code);
      if (!pairing) {
        const retryAfterS = guesses.note(callerAddress(request), code);
        if (retryAfterS > 0) throw new AppError('too_many_wrong_tokens', undefined, { retryAfterS });
        throw new AppError('not_found', noCode, { param: 'code' });
      }
      const { token, secret } = await makeNamed(options.store, pairing, name.normalize());
      // The phone uses the token immediately.
      await known.refresh();
      const { scope, madeAt } = token;
      log.info({ name: token.name, scope, from: callerAddress(request) }, 'phone paired');
      const made_at = new Date(madeAt).toISOString();
      return reply.code(201).send({ name: token.name, scope, made_at, token: secret });
    },
  };
}

/**
 * A machine that joins again must not leave its old key behind. Its name does not tell whether it is the same
 * machine.
 */
function hasJoined(name: string | null): AppError {
  const message = `There is already an access key called "${name}". If it is this machine's, remove it on the page of Hearth first. If not, invite this one with another name: make invite NAME=...`;
  return new AppError('token_exists', message, { param: 'name' });
}

/**
 * The first free name of "phone", "phone 2" and so on. A machine that lends its engines gets its name, or an
 * error.
 */
async function makeNamed(store: Pick<TokenStore, 'make'>, { scope, name, madeBy }: Pairing, own: string) {
  const secret = newSecret();
  const hash = digestOf(secret).toString('hex');
  for (let count = 1; count <= maxNamesakes; count += 1) {
    const token: DeviceToken = {
      name: numbered(name ?? own, count),
      hash,
      scope,
      madeAt: Date.now(),
      madeBy,
    };
    const outcome = token.name === ownersTokenName ? 'exists' : await store.make(token);
    if (outcome === 'made') return { token, secret };
    if (outcome === 'exists' && scope === 'lend') throw hasJoined(token.name);
    if (outcome === 'full') throw new AppError('too_many_tokens');
  }
  throw new AppError('token_exists');
}

function numbered(name: string, count: number): string {
  if (count === 1) return name;
  const number = ` ${count}`;
  return `${name.slice(0, longestName - number.length).trimEnd()}${number}`;
}
