import { renderUnicodeCompact } from 'uqr';
import { z } from 'zod';
import { gettext } from './gettext.ts';
import { askApi, ownOrigin, printMessage, refusalIn } from './own-api.ts';

const pairingSchema = z.object({
  url: z.string(),
  is_secure: z.boolean(),
  join_code: z.string().nullable(),
});
const networkSchema = z.object({ is_open: z.boolean(), set_by: z.string() });

const { ADDRESS: address, PHONE_NAME: phone, SCOPE: scope } = process.env;
/** The host at the start of a code. An IPv6 address has brackets. */
const hostName = /^(?:\[[^\]]*\]|[^:]*)/;
const mayOpen = process.env['PHONE'] === '1';
process.exitCode = await main(ownOrigin());

/**
 * Prints a QR code to pair one phone. With SCOPE=lend: the command by which another machine joins. Exit code
 * 0: shown; 1: refused; 2: no answer; 3: closed to the home network. PHONE=1 opens it.
 */
async function main(origin: string): Promise<number> {
  const network = await askApi(`${origin}/admin/network`);
  if (!network) return printMessage(gettext('Hearth does not answer at %s.', origin), 2);
  const state = networkSchema.safeParse(network.body).data;
  if (state?.set_by === 'page' && !state.is_open) {
    if (!mayOpen) return 3;
    const opened = await askApi(`${origin}/admin/network`, { method: 'PATCH', body: { is_open: true } });
    if (!opened?.isOk) return printMessage(messageOf(opened), 1);
  }
  const pairing = { scope: scope || 'talk', ...(phone && { name: phone }) };
  const made = await askApi(`${origin}/admin/pairings`, { method: 'POST', body: pairing });
  if (!made?.isOk) return printMessage(messageOf(made), 1);
  const { url, is_secure: isSecure, join_code: joinCode } = pairingSchema.parse(made.body);
  if (joinCode !== null) {
    process.stdout.write(joinWords(address ? joinCode.replace(hostName, address) : joinCode));
    return 0;
  }
  process.stdout.write(
    `${renderUnicodeCompact(url, { border: 2, ecc: 'L' })}\n\n${wordsOf(url, isSecure)}\n`,
  );
  return 0;
}

function joinWords(joinCode: string): string {
  return [
    gettext('On the machine that is to lend its engines, in a folder with Hearth, type:'),
    `\n  make join CODE=${joinCode}\n`,
    `${gettext('It works once, and for ten minutes. Settings on the page can remove the machine again.')}\n`,
  ].join('\n');
}

function wordsOf(url: string, isSecure: boolean): string {
  const lines = [
    gettext('Scan this with the camera of your phone, or open %s there.', url),
    gettext(
      'It works for one phone, and for ten minutes. "make token NAME=... REVOKE=1" revokes its access.',
    ),
  ];
  if (!isSecure)
    lines.push(
      gettext('The phone can type, but not be spoken to: for that, Hearth must serve https (HTTPS=1).'),
    );
  return lines.join('\n');
}

function messageOf(answer: Awaited<ReturnType<typeof askApi>>): string {
  return answer ? refusalIn(answer).message : gettext('Hearth does not answer.');
}
