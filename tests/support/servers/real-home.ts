import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const image = 'offline/home-assistant';

const commanded = /^(light|switch|cover|lock|climate|media_player|fan|scene|vacuum)\./;
const statesSchema = z.array(
  z.object({ entity_id: z.string(), state: z.string(), attributes: z.record(z.string(), z.json()) }),
);

const docker = async (...args: string[]): Promise<string> => (await run('docker', args)).stdout.trim();

/** Whether a real Home Assistant can be started on this machine. */
export const hasRealHome = await docker('image', 'inspect', '--format', 'there', image).then(
  () => true,
  () => false,
);

interface RealHomeOptions {
  /** A container network in which it also has this name. */
  network?: string;
  alias?: string;
}

/** A real Home Assistant in a separate container, with rooms and virtual things. */
export async function startRealHome({ network, alias = 'home' }: RealHomeOptions = {}) {
  // The port stays the same after a restart.
  const port = await freePort();
  const within = network === undefined ? [] : ['--network', network, '--network-alias', alias];
  const id = await docker('run', '--detach', ...within, '--publish', `127.0.0.1:${port}:8123`, image);
  const url = `http://127.0.0.1:${port}`;
  const token = await docker('exec', id, 'cat', '/config/token');
  const headers = { authorization: `Bearer ${token}` };
  const isUp = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/api/core/state`, { headers });
    return answer.ok && (await answer.text()).includes('"RUNNING"');
  };
  const untilUp = () => waitFor(isUp, { what: 'Home Assistant is up', withinMs: 60_000 });
  await untilUp();

  return {
    url,
    token,
    untilUp,
    async stateOf(entity: string): Promise<string> {
      const answer = await fetch(`${url}/api/states/${entity}`, { headers });
      return z.object({ state: z.string() }).parse(await answer.json()).state;
    },
    /** The states of all things that accept commands. */
    async standing(): Promise<Record<string, string>> {
      const answer = await fetch(`${url}/api/states`, { headers });
      const all = statesSchema.parse(await answer.json());
      const things = all.filter(({ entity_id }) => commanded.test(entity_id));
      return Object.fromEntries(
        things.map(({ entity_id, state, attributes }) => [entity_id, JSON.stringify([state, attributes])]),
      );
    },
    restart: async () => void (await docker('restart', '--time', '20', id)),
    halt: async () => void (await docker('stop', '--time', '20', id)),
    async start() {
      await docker('start', id);
      await untilUp();
    },
    stop: async () => void (await docker('rm', '--force', '--volumes', id)),
  };
}
