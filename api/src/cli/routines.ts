import { readFileSync } from 'node:fs';
import { dump, load, YAMLException } from 'js-yaml';
import { z } from 'zod';
import { gettext } from './gettext.ts';
import { askApi, ownOrigin, printMessage, refusalIn } from './own-api.ts';

const stateSchema = z.object({ values: z.object({ routines: z.array(z.json()) }) });

process.exitCode = await main(ownOrigin(), process.argv[2] === 'read');

/**
 * Prints the routines as YAML, or replaces them with those from stdin. Exit code 0: done; 1: refused; 2: no
 * answer.
 */
async function main(origin: string, isReading: boolean): Promise<number> {
  const wanted = isReading ? readInput() : null;
  if (typeof wanted === 'string') return printMessage(wanted, 1);
  const address = `${origin}/admin/pipeline`;
  const answer = await (wanted ? askApi(address, { method: 'PATCH', body: wanted }) : askApi(address));
  if (!answer) return printMessage(gettext('Hearth does not answer at %s.', origin), 2);
  if (!answer.isOk) {
    const { message, param } = refusalIn(answer);
    return printMessage(param === undefined || message.includes(param) ? message : `${param}: ${message}`, 1);
  }
  const { routines } = stateSchema.parse(answer.body).values;
  if (isReading)
    return printMessage(gettext('%s saved. They apply from the next sentence on.', routines.length), 0);
  process.stdout.write(dump({ routines }, { lineWidth: 120 }));
  return 0;
}

/** Returns a sentence if the input is invalid. */
function readInput(): { routines: unknown } | string {
  try {
    const read = z.strictObject({ routines: z.array(z.json()) }).safeParse(load(readFileSync(0, 'utf8')));
    return read.success
      ? read.data
      : gettext('The file must have "routines" at its top, and a list under it.');
  } catch (error) {
    if (error instanceof YAMLException) return gettext('The file is not valid YAML: %s', error.message);
    throw error;
  }
}
