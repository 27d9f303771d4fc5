import { z } from 'zod';
import { seconds } from '../check/step.ts';
import { gettext } from './gettext.ts';
import { ownersAccess, ownOrigin } from './own-api.ts';

const stepSchema = z.object({
  title: z.string(),
  state: z.enum(['ok', 'warning', 'failed', 'skipped']),
  took_ms: z.number(),
  usual_ms: z.number().nullable(),
  message: z.string(),
  advice: z.string().nullable(),
});
const resultSchema = z.object({ ok: z.boolean(), summary: z.string(), took_ms: z.number() });

type Step = z.infer<typeof stepSchema>;

/** Longer than the longest check. */
const maxMs = 400_000;
const markWidth = 7;
const titleWidth = 26;

const marks: Readonly<Record<Step['state'], string>> = {
  ok: gettext('works'),
  warning: gettext('look'),
  failed: gettext('FAILS'),
  skipped: '-',
};

process.exitCode = await main(ownOrigin());

/** Runs a check and prints the steps as they end. Exit code 0: all works; 1: a step fails; 2: no answer. */
async function main(address: string): Promise<number> {
  const answer = await fetch(`${address}/admin/check`, {
    method: 'POST',
    headers: { accept: 'text/event-stream', ...ownersAccess() },
    signal: AbortSignal.timeout(maxMs),
  }).catch(() => null);
  if (!answer) {
    return say(
      gettext('Hearth does not answer at %s. Is it running? Start it with "make up" or "make run".', address),
      2,
    );
  }
  if (!answer.ok || !answer.body)
    return say(gettext('Hearth answers, but refuses the check: %s', await reasonOf(answer)), 2);
  const ended = await show(answer.body.pipeThrough(new TextDecoderStream())).catch(() => null);
  return ended ?? say(gettext('The check was interrupted. "make logs" may show why.'), 2);
}

/** Null: the stream ended early. */
async function show(chunks: AsyncIterable<string>): Promise<number | null> {
  let rest = '';
  for await (const chunk of chunks) {
    const events = `${rest}${chunk}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      if (name === 'step') say(lineOf(stepSchema.parse(JSON.parse(data))));
      if (name === 'result') return conclude(resultSchema.parse(JSON.parse(data)));
    }
  }
  return null;
}

function lineOf({ title, state, took_ms: tookMs, usual_ms: usualMs, message, advice }: Step): string {
  const usually = usualMs === null ? '' : ` (${seconds(usualMs)})`;
  const time = state === 'skipped' ? '' : `${seconds(tookMs)}${usually}`;
  const line = `${marks[state].padEnd(markWidth)} ${title.padEnd(titleWidth)} ${time.padStart(14)}  ${message}`;
  return advice === null || state === 'ok' ? line : `${line}\n${' '.repeat(titleWidth + 25)}${advice}`;
}

function conclude({ ok, summary, took_ms: tookMs }: z.infer<typeof resultSchema>): number {
  return say(`\n${summary}\n${gettext('Checked in %s.', seconds(tookMs))}`, ok ? 0 : 1);
}

async function reasonOf(answer: Response): Promise<string | number> {
  const errorBody = z.object({ error: z.object({ message: z.string() }) });
  const { data } = errorBody.safeParse(await answer.json().catch(() => undefined));
  return data?.error.message ?? answer.status;
}

function say(text: string, code = 0): number {
  process.stdout.write(`${text}\n`);
  return code;
}
