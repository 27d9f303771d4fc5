import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Ending } from './ending.ts';
import { textOf } from './event.ts';

/** The house that has let this satellite in. */
export interface KeptHouse {
  url: string;
  token: string;
  room: string;
}

export type HouseKeeper = ReturnType<typeof createHouseKeeper>;

/** Where a program keeps what must outlive it; systemd names the folder of a service. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const own = env['STATE_DIRECTORY'];
  return own || join(env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'hearth-satellite');
}

/** Keeps the house in a file that only this user can read, because the token is in it. */
export function createHouseKeeper(folder: string) {
  const file = join(folder, 'house.json');
  return {
    file,
    read: (): KeptHouse | null => {
      try {
        const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
        const [url, token, room] = ['url', 'token', 'room'].map((field) => textOf(kept, field));
        return url && token && URL.canParse(url) ? { url, token, room: room ?? '' } : null;
      } catch {
        return null;
      }
    },
    keep(house: KeptHouse): void {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        // Whole or not at all, and never readable for others, not even for a moment.
        rmSync(`${file}.new`, { force: true });
        writeFileSync(`${file}.new`, `${JSON.stringify(house)}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch (error) {
        throw new Ending(`${file} cannot be written: ${error instanceof Error ? error.message : error}`);
      }
    },
    forget: () => rmSync(file, { force: true }),
  };
}
