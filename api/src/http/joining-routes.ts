import type { Pcm } from '../audio/pcm.ts';
import { writeWav } from '../audio/wav.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { ChoiceStore } from '../satellites/choice-store.ts';
import { isSameName } from '../satellites/household-choice.ts';
import { type Joining, type JoiningStore, joiningLastsS } from '../tokens/joining-store.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { ownersTokenName, ownName } from './caller.ts';
import { callerAddress } from './caller-address.ts';
import type { Handlers } from './contract-routes.ts';
import { requireHomeNetwork } from './home-network.ts';
import type { RoomCheck } from './room-check.ts';

interface JoiningRoutesOptions {
  joinings: JoiningStore;
  store: TokenStore;
  known: Pick<KnownTokens, 'refresh'>;
  choices: Pick<ChoiceStore, 'all' | 'change'>;
  log: Logger;
  checkRoom: RoomCheck;
  /** The digits as 16 kHz sound; null if no voice can speak them. */
  sayDigits: (digits: string) => Promise<Pcm | null>;
}

type JoiningHandlers = Pick<
  Handlers,
  'askToJoin' | 'getJoining' | 'getJoiningSpeech' | 'listJoinings' | 'admitJoining' | 'refuseJoining'
>;

const gone = () =>
  new AppError('not_found', 'No satellite is waiting to join under this id.', { param: 'id' });

/** Lets satellites join: they ask without a token, and a person admits them with six digits. */
export function joiningRoutes(options: JoiningRoutesOptions): JoiningHandlers {
  const { joinings, store, known, choices, log, sayDigits } = options;

  const claim = async (id: string, digits: string): Promise<Joining> => {
    const outcome = await joinings.claim(id, digits);
    if (outcome === null) throw gone();
    if (typeof outcome !== 'number') return outcome;
    log.warn({ left: outcome }, 'wrong pairing code for a satellite');
    throw new AppError('wrong_digits', wrongWords(outcome), { param: 'digits' });
  };

  /** Shows a satellite under the name that the person typed, unless another satellite is called so. */
  const showAs = async (name: string, client: string): Promise<void> => {
    const isTaken = [...(await choices.all())].some(
      ([other, chosen]) => other !== client && isSameName(chosen.name, name),
    );
    if (!isTaken) await choices.change(client, { name });
  };

  return {
    async askToJoin({ body, request, reply }) {
      requireHomeNetwork(request);
      const from = callerAddress(request);
      const joining = await joinings.ask({ label: body.name, from, hash: body.token_sha256 });
      if (!joining) throw new AppError('too_many_joinings');
      log.info({ from }, 'satellite asks to join');
      return reply.code(201).send({ ...joining, expires_in_s: joiningLastsS });
    },

    async getJoining({ path: { id }, request }) {
      requireHomeNetwork(request);
      const found = await joinings.find(id);
      if (!found) throw gone();
      if (found.state !== 'joined') return { state: 'waiting', name: null, room: null };
      return { state: 'joined', name: found.name, room: found.room };
    },

    async getJoiningSpeech({ path: { id }, request, reply }) {
      requireHomeNetwork(request);
      const found = await joinings.find(id);
      if (found?.state !== 'waiting' || !(await joinings.maySpeak(found))) throw gone();
      const sound = await sayDigits(found.digits);
      if (!sound) throw new AppError('tts_unavailable');
      return reply.type('audio/wav').send(writeWav(sound));
    },

    async listJoinings() {
      const waiting = await joinings.waiting();
      const lastMs = Date.now();
      return {
        joinings: waiting.map(({ id, label, from, untilMs }) => ({
          ...{ id, name: label, from },
          expires_in_s: Math.max(0, Math.round((untilMs - lastMs) / 1_000)),
        })),
      };
    },

    async admitJoining({ path: { id }, body, request: { caller } }) {
      const [name, room] = [body.name.normalize(), body.room.trim()];
      options.checkRoom(room);
      const { hash, label } = await claim(id, body.digits);
      const token = { name, hash, scope: 'talk', madeAt: Date.now(), madeBy: caller.tokenName } as const;
      const outcome = name === ownersTokenName ? 'exists' : await store.make(token);
      if (outcome !== 'made') await joinings.release(id);
      if (outcome === 'exists') throw new AppError('token_exists', undefined, { param: 'name' });
      if (outcome === 'full') throw new AppError('too_many_tokens');
      await known.refresh();
      await showAs(name, ownName({ tokenName: name, scope: token.scope, device: token }, label));
      await joinings.joined(id, { name, room });
      log.info({ token_name: caller.tokenName, name, scope: token.scope }, 'satellite joined');
      return { name, scope: token.scope, made_at: new Date(token.madeAt).toISOString() };
    },

    async refuseJoining({ path: { id } }) {
      if (!(await joinings.remove(id))) throw gone();
      return { id };
    },
  };
}

function wrongWords(left: number): string {
  if (left === 0)
    return "These are not the satellite's digits. It was refused, and will ask again with new ones.";
  return `These are not the satellite's digits. ${left === 1 ? 'One more try.' : `${left} more tries.`}`;
}
