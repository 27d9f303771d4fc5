/** A shorter secret would cut ordinary words out of the lines. */
const shortestSecret = 6;

const hidden = '[hidden]';

/** The tokens of devices and programs. Nobody here knows them, but they can be told by their form. */
const deviceTokens = /hearth_[\w-]{43}/g;

/** Takes secrets out of a line, wherever they stand in it and in whichever writing they came: the last fence before it leaves the process. */
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
