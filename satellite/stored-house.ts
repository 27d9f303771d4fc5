import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Ending } from './ending.ts';
import { textField } from './event.ts';
import { gettext } from './gettext.ts';

/** The server that admitted this satellite. */
export interface StoredHouse {
  url: string;
  token: string;
  room: string;
}

export type HouseStore = ReturnType<typeof createHouseStore>;

/** Folder for a program's lasting state; systemd names it for services. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const own = env['STATE_DIRECTORY'];
  return own || join(env['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'hearth-satellite');
}

/** Stores the server's data in a file that only this user can read, because it contains the token. */
export function createHouseStore(folder: string) {
  const file = join(folder, 'house.json');
  return {
    file,
    read: (): StoredHouse | null => {
      try {
        const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
        const [url, token, room] = ['url', 'token', 'room'].map((field) => textField(kept, field));
        return url && token && URL.canParse(url) ? { url, token, room: room ?? '' } : null;
      } catch {
        return null;
      }
    },
    keep(house: StoredHouse): void {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        // The write is atomic, and other users can never read the file, not even briefly.
        rmSync(`${file}.new`, { force: true });
        writeFileSync(`${file}.new`, `${JSON.stringify(house)}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      } catch (error) {
        throw new Ending(
          gettext('%s cannot be written: %s', file, error instanceof Error ? error.message : String(error)),
        );
      }
    },
    forget: () => rmSync(file, { force: true }),
  };
}
