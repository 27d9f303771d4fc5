import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import { createEngineClient } from '../engines/engine-client.ts';
import { createHomeClient, type HomeClient } from '../engines/home-client.ts';
import type { Language } from '../language/language.ts';
import type { Logger } from '../log.ts';
import { createHome, type Home } from '../respond/home/home.ts';
import { spoken } from './installation.ts';

interface HomeWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  language: Language;
}

export interface WiredHome extends Home {
  client: HomeClient;
}

/** Home Assistant; null where the household has none. */
export function wireHome({ config, ...shared }: HomeWiring): WiredHome | null {
  if (!config.home) return null;
  const client = createHomeClient({ ...config.home, http: createEngineClient('home'), language: spoken });
  return { ...createHome({ client, timeZone: config.timeZone, ...shared }), client };
}
