import { type FoundService, shown } from './found-service.ts';

/** The service that Home Assistant announces by mDNS. */
export const homeService = '_home-assistant._tcp.local';

/** A Home Assistant on the network. */
interface FoundHome {
  name: string;
  url: string;
  /** Null: not announced. */
  version: string | null;
}

/** Keeps the announced name for https, whose certificate is for it. Otherwise an address always works. */
export function foundHome({ name, host, port, texts }: FoundService): FoundHome {
  const internal = texts.get('internal_url') ?? '';
  const isSecure = internal.startsWith('https://') && URL.canParse(internal);
  return {
    name: shown(texts.get('location_name') ?? '') || name,
    url: isSecure ? new URL(internal).origin : `http://${host}:${port}`,
    version: shown(texts.get('version') ?? '') || null,
  };
}
