import type { Redis } from 'ioredis';
import type { Config, HomeConfig } from '../config.ts';
import { createEngineClient } from '../engines/engine-client.ts';
import { createHomeClient, type HomeClient } from '../engines/home-client.ts';
import type { HomeSpeaker } from '../engines/home-speaker.ts';
import { tryHome } from '../engines/home-trial.ts';
import type { Language } from '../language/language.ts';
import type { Logger } from '../log.ts';
import { createHome, type Home } from '../respond/home/home.ts';
import { createHouseholdRecords } from './household-stores.ts';

interface HomeWiring {
  config: Pick<Config, 'timeZone'>;
  log: Logger;
  redis: Redis;
  language: Language;
  /** Called with the current speakers of Home Assistant after each change. */
  onSpeakers: (speakers: readonly HomeSpeaker[]) => void;
}

export interface WiredHome extends Home {
  client: HomeClient;
}

/** Home Assistant at an address. Null: the household has none. */
export function wireHome(at: HomeConfig | null, options: HomeWiring): WiredHome | null {
  if (!at) return null;
  const { config, redis, language, log, onSpeakers } = options;
  const client = createHomeClient({ ...at, http: createEngineClient('home'), language: language.tag });
  const { asked, notes, last } = createHouseholdRecords({ redis });
  const { timeZone } = config;
  return { ...createHome({ client, timeZone, language, asked, notes, last, log, onSpeakers }), client };
}

/** Tests whether a Home Assistant is usable. */
export async function tryOtherHome(
  at: HomeConfig,
  { language, signal }: { language: string; signal: AbortSignal },
) {
  const http = createEngineClient('home');
  const client = createHomeClient({ ...at, http, language });
  try {
    return await tryHome({ http, client, url: at.url, signal });
  } finally {
    client.close();
    void http.close();
  }
}
