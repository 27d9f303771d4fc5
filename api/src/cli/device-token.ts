import { z } from 'zod';
import { gettext } from './gettext.ts';
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
  if (!answer) return printMessage(gettext('Hearth does not answer at %s.', origin), 2);
  if (!answer.isOk) return printMessage(refusalIn(answer).message, 1);
  if (what === 'revoke') return printMessage(gettext('"%s" no longer has access.', device), 0);
  process.stdout.write(`${madeSchema.parse(answer.body).token}\n`);
  return printMessage(
    gettext(
      'The access key of "%s", with the scope %s. It is shown only this once: put it into the device now.',
      device,
      scope,
    ),
    0,
  );
}
