import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { compareNames } from '../name-order.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import type { ChoiceStore } from '../satellites/choice-store.ts';
import { type HouseholdChoice, isSameName, nothingChosen } from '../satellites/household-choice.ts';
import type { SatelliteOutcome, SatelliteRequests } from '../satellites/satellite-requests.ts';
import { type StoredSpeaker, speakerAt, untouchedSpeaker } from '../speakers/speaker.ts';
import type { SpeakerStore } from '../speakers/speaker-store.ts';
import type { SatellitesThere } from '../timers/satellites-there.ts';
import type { KnownTokens } from '../tokens/known-tokens.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { tokenNameIn } from './caller.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import type { RoomCheck } from './room-check.ts';

interface SatelliteRoutesOptions {
  there: Pick<SatellitesThere, 'all' | 'seen' | 'forget'>;
  speakers: Pick<SpeakerStore, 'all' | 'change' | 'forget'>;
  choices: ChoiceStore;
  /** The tags of the household's languages. */
  languages: readonly string[];
  /** The tag of the language that a request names. Throws AppError. */
  languageIn: LanguageIn;
  requests: SatelliteRequests;
  checkRoom: RoomCheck;
  tokens: Pick<TokenStore, 'all' | 'revoke'>;
  knownTokens: Pick<KnownTokens, 'refresh'>;
  clock: HouseholdClock;
  log: Logger;
}

type SatelliteHandlers = Pick<
  Handlers,
  'listSatellites' | 'changeSatellite' | 'removeSatellite' | 'soundSatellite' | 'getMicrophone'
>;
type LanguageIn = (named: string | null | undefined) => string | undefined;
type Shown = components['schemas']['Satellite'];

const notConnected = () => new AppError('not_possible', 'This satellite is not connected.');

/** Reads the household's satellites: their names, rooms, connection state and volume. */
function createSatelliteReader({
  there,
  speakers,
  choices,
  clock,
}: Pick<SatelliteRoutesOptions, 'there' | 'speakers' | 'choices' | 'clock'>) {
  /** Converts the household's steady time to wall-clock time. */
  const wall = (steadyAt: number) =>
    new Date(Math.round(clock.now() + steadyAt - clock.steady())).toISOString();

  const all = async (): Promise<Shown[]> => {
    const [connected, seen, kept, chosen] = await Promise.all([
      there.all(clock.steady()),
      there.seen(),
      speakers.all(),
      choices.all(),
    ]);
    const known = new Map(seen.map((each) => [each.name, each]));
    const names = new Set([...known.keys(), ...kept.keys(), ...chosen.keys()]);
    return [...names].toSorted(compareNames).map((client) => {
      const { room = null, seenAt } = known.get(client) ?? {};
      const { name, ...set } = chosen.get(client) ?? nothingChosen;
      const now = connected.find(({ conversation }) => conversation === client);
      return {
        client,
        name,
        room: now === undefined ? (set.room ?? room) : now.room,
        wake: now?.wake ?? null,
        chosen: set,
        connected: now !== undefined,
        connected_since: now?.since === undefined ? null : wall(now.since),
        seen_at: seenAt === undefined ? null : wall(seenAt),
        ...loudness(kept.get(client) ?? untouchedSpeaker),
      };
    });
  };
  const loudness = (speaker: StoredSpeaker) => {
    const { volume, muted } = speakerAt(speaker, clock.steady());
    return {
      volume,
      muted: muted !== null,
      muted_until: muted?.until == null ? null : wall(muted.until),
    };
  };
  const find = async (client: string): Promise<Shown> => {
    const found = (await all()).find((each) => each.client === client);
    if (found) return found;
    throw new AppError('not_found', 'No satellite of this name is known.', { param: 'client' });
  };
  return { all, find };
}

/** The routes that list, change, remove and test the household's satellites. */
export function adminSatelliteRoutes(options: SatelliteRoutesOptions): SatelliteHandlers {
  const { there, speakers, choices, languages, requests, tokens, knownTokens, log } = options;
  const { all, find } = createSatelliteReader(options);
  /** Reaches the satellite through the process that it is connected to. */
  const ask = async (client: string, want: 'level' | 'sound'): Promise<SatelliteOutcome> => {
    const outcome = (await find(client)).connected ? await requests.ask({ client, want }) : null;
    if (outcome === null) throw notConnected();
    return outcome;
  };
  const requireOwnName = async (client: string, name: string): Promise<void> => {
    const isTaken = (await all()).some(
      (each) => each.client !== client && [each.client, each.name].some((one) => isSameName(one, name)),
    );
    if (isTaken) throw new AppError('not_possible', 'Another satellite has this name.', { param: 'name' });
  };

  return {
    async listSatellites() {
      return { satellites: await all(), languages: [...languages] };
    },

    async changeSatellite({ path: { client }, body }) {
      const { volume, muted, muted_ms: mutedMs } = body;
      const before = await find(client);
      const chosen = chosenIn(body, options.languageIn);
      options.checkRoom(chosen.room);
      if (before.connected && before.wake === null && chosen.wake)
        throw new AppError('not_possible', 'This satellite chooses its own wake mode.', { param: 'wake' });
      if (chosen.name) await requireOwnName(client, chosen.name);
      if (Object.keys(chosen).length > 0) await choices.change(client, chosen);
      if (volume !== undefined || muted !== undefined)
        await speakers.change(client, { volume, muted, mutedMs }, null);
      return { satellite: { ...(await find(client)), ...toBe(before, chosen) } };
    },

    async removeSatellite({ path: { client }, request: { caller } }) {
      const { connected } = await find(client);
      const name = tokenNameIn(client);
      const own = (await tokens.all()).find((token) => token.name === name && token.scope === 'talk');
      if (connected && !own)
        throw new AppError(
          'not_possible',
          'This satellite is connected without its own access key, so it would reconnect at once. Stop its program first, or remove the voice device.',
        );
      if (own) await tokens.revoke(own.name);
      if (own) await knownTokens.refresh();
      await Promise.all([there.forget(client), speakers.forget(client), choices.forget(client)]);
      log.info({ token_name: caller.tokenName, client }, 'satellite removed');
      return { client, token: own?.name ?? null };
    },

    async soundSatellite({ path: { client } }) {
      const { isPlaying } = await ask(client, 'sound');
      if (!isPlaying)
        throw new AppError(
          'not_possible',
          'The satellite is muted or in a conversation. Try again in a moment.',
        );
      return { client };
    },

    async getMicrophone({ path: { client } }) {
      const { level } = await ask(client, 'level');
      return { client, level_db: level?.db ?? null, measured_by: level?.by ?? null };
    },
  };
}

/** The household's choice; null resets it. */
function chosenIn(
  { name, room, wake, language }: components['schemas']['SatelliteChange'],
  languageIn: LanguageIn,
): Partial<HouseholdChoice> {
  return {
    ...(name !== undefined && { name: name?.trim() ?? null }),
    ...(room !== undefined && { room: room?.trim() ?? null }),
    ...(wake !== undefined && { wake }),
    ...(language !== undefined && { language: languageIn(language) ?? null }),
  };
}

/** The expected state of a connected satellite. Its process confirms it a moment later. */
function toBe(
  { connected, room, wake }: Shown,
  chosen: Partial<HouseholdChoice>,
): Pick<Shown, 'room' | 'wake'> {
  return { room: chosen.room ?? room, wake: (connected ? chosen.wake : null) ?? wake };
}
