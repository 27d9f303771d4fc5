/** Minimum length of a secret. A shorter one would remove ordinary words. */
const shortestSecret = 6;

const hidden = '[hidden]';

/** Tokens of devices and programs. Only their hashes are known here, but their format is unique. */
const deviceTokens = /hearth_[\w-]{43}/g;

/**
 * Removes secrets from a log line in every encoding. It is the last filter before a line leaves the process.
 */
export function createFence(secrets: readonly (string | undefined)[]): (line: string) => string {
  const forms = secrets.flatMap((secret) =>
    secret === undefined || secret.length < shortestSecret ? [] : writingsOf(secret),
  );
  const all = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return (line) =>
    all.reduce((text, secret) => text.replaceAll(secret, hidden), line).replaceAll(deviceTokens, hidden);
}

function writingsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, encodeURIComponent(secret)];
}
