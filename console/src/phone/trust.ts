import { bodyOf } from '../server/shapes.ts';

interface PhoneFacts {
  https_port: number | null;
  has_certificate: boolean;
}

const maxMs = 4_000;
const announcedName = 'hearth.local';

/** How https is served here; null: it is not. */
export async function readFacts(): Promise<Partial<PhoneFacts> | null> {
  try {
    const answer = await fetch('/phone.json', { cache: 'no-store', signal: AbortSignal.timeout(maxMs) });
    return bodyOf<PhoneFacts>(await answer.json());
  } catch {
    return null;
  }
}

/** The https address on the host name of this page, even if it is not trusted. */
export function secureOrigin(httpsPort: number): string {
  return `https://${location.hostname}:${httpsPort}`;
}

/**
 * An https address that this browser already trusts. The announced name comes first, because it stays. Null:
 * none.
 */
export async function trustedOrigin(httpsPort: number): Promise<string | null> {
  const origins = [`https://${announcedName}:${httpsPort}`, secureOrigin(httpsPort)];
  const found = await Promise.all(origins.map(isTrusted));
  return origins.find((_origin, at) => found[at]) ?? null;
}

async function isTrusted(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(maxMs);
    return (await fetch(`${origin}/reachable`, { cache: 'no-store', credentials: 'omit', signal })).ok;
  } catch {
    return false;
  }
}
