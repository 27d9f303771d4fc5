import type { SatelliteNews } from '../listen/satellite-news.ts';

/** A satellite that is connected to this process. */
interface Connected {
  sessionId: string;
  client: string | null;
  /** Unix time in ms. */
  connectedAt: number;
  /** Called when a newer connection of the same satellite takes over. */
  replaced: () => void;
}

interface SatelliteRegistryOptions {
  /** Tells the other API processes about a new connection. */
  tell: (news: SatelliteNews) => Promise<void>;
  onError: (error: unknown) => void;
}

export type SatelliteRegistry = ReturnType<typeof createSatelliteRegistry>;

/**
 * The satellites connected to this process. Each name has one connection across all processes, the newest.
 */
export function createSatelliteRegistry({ tell, onError }: SatelliteRegistryOptions) {
  const connected = new Map<string, Connected>();

  /** The newer connection stays. Both processes must choose the same one of two simultaneous connections. */
  const isOlder = (one: Connected, { connectedAt, sessionId }: SatelliteNews): boolean =>
    one.connectedAt < connectedAt || (one.connectedAt === connectedAt && one.sessionId < sessionId);

  const onNews = (news: SatelliteNews): void => {
    for (const one of [...connected.values()]) {
      if (one.client !== news.client || !isOlder(one, news)) continue;
      connected.delete(one.sessionId);
      one.replaced();
    }
  };
  const announce = ({ sessionId, client, connectedAt }: Connected): void => {
    if (client === null) return;
    const news = { sessionId, client, connectedAt };
    onNews(news);
    tell(news).catch(onError);
  };

  return {
    join(satellite: Connected): void {
      connected.set(satellite.sessionId, satellite);
      announce(satellite);
    },
    /** Called when a satellite changes its name. */
    rename(sessionId: string, client: string | null): void {
      const known = connected.get(sessionId);
      if (known === undefined || known.client === client) return;
      const renamed = { ...known, client, connectedAt: Date.now() };
      connected.set(sessionId, renamed);
      announce(renamed);
    },
    /** Whether a satellite of this name is connected to this process. */
    has: (client: string | null): boolean =>
      client !== null && [...connected.values()].some((one) => one.client === client),
    leave: (sessionId: string): boolean => connected.delete(sessionId),
    /** Handles the report of a new connection from any process. */
    onNews,
    get size() {
      return connected.size;
    },
  };
}
