import { ask } from './ask.ts';
import { findHouse } from './find-house.ts';
import { gettext } from './gettext.ts';
import { joinHouse } from './joining.ts';
import type { Loudspeaker } from './loudspeaker.ts';
import type { SatelliteOptions } from './options.ts';
import type { HouseStore } from './stored-house.ts';
import { wavSound } from './wav.ts';

interface EnterOptions {
  keeper: HouseStore;
  loudspeaker: Loudspeaker;
  tell: (line: string) => void;
  signal: AbortSignal;
}

const askMs = 5_000;

/**
 * Returns the settings with a reachable server: the given one, the stored one, or one found on the network.
 */
export async function enterHouse(
  settings: SatelliteOptions,
  options: EnterOptions,
): Promise<SatelliteOptions> {
  const { keeper, tell, signal } = options;
  if (settings.token !== undefined) return settings;
  const kept = keeper.read();
  if (kept && (!settings.isAddressGiven || new URL(kept.url).origin === settings.url.origin)) {
    return {
      ...settings,
      url: new URL(kept.url),
      token: kept.token,
      room: settings.room ?? (kept.room || undefined),
    };
  }
  const found = settings.isAddressGiven ? null : await findHouse({ signal });
  const url = found ?? settings.url;
  if (found) tell(gettext('Found Hearth at %s.', found.origin));
  if (settings.inFile !== undefined || !(await asksForToken(url, signal))) return { ...settings, url };
  const house = await joinHouse({
    url,
    client: settings.client,
    tell,
    signal,
    play: (file) => playOnce(options.loudspeaker, file),
  });
  keeper.keep(house);
  tell(
    house.room
      ? gettext('Joined Hearth as a satellite in the room %s.', house.room)
      : gettext('Joined Hearth as a satellite.'),
  );
  return { ...settings, url, token: house.token, room: settings.room ?? (house.room || undefined) };
}

/** Whether the server identifies its devices by tokens. False if it is unreachable. */
async function asksForToken(url: URL, signal: AbortSignal): Promise<boolean> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(askMs)]);
  const answer = await ask(new URL('/listen', url), { signal: limited }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 401;
}

function playOnce(loudspeaker: Loudspeaker, file: Buffer): void {
  const sound = wavSound(file);
  if (!sound) return;
  const speech = loudspeaker.begin();
  speech.play(sound);
  speech.end();
}
