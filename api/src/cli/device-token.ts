import { z } from 'zod';
import { askApi, ownOrigin, printMessage, refusalIn } from './own-api.ts';

const madeSchema = z.object({ token: z.string() });

process.exitCode = await main(ownOrigin(), process.argv.slice(2));

/**
 * Creates a token for a device or program, or revokes it: `make NAME SCOPE` or `revoke NAME`. Prints only the
 * token to stdout, and messages to stderr. 0: done; 1: refused; 2: no answer.
 */
async function main(origin: string, [what, device = '', scope = '']: string[]): Promise<number> {
  const address = `${origin}/admin/tokens`;
  const answer =
    what === 'revoke'
      ? await askApi(`${address}/${encodeURIComponent(device)}`, { method: 'DELETE' })
      : await askApi(address, { method: 'POST', body: { name: device, scope } });
  if (!answer) return printMessage(`Hearth does not answer at ${origin}.`, 2);
  if (!answer.isOk) return printMessage(refusalIn(answer).message, 1);
  if (what === 'revoke') return printMessage(`"${device}" no longer has access.`, 0);
  process.stdout.write(`${madeSchema.parse(answer.body).token}\n`);
  return printMessage(
    `The access key of "${device}", with the scope ${scope}. It is shown only this once: put it into the device now.`,
    0,
  );
}
