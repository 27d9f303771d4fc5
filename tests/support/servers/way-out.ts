import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const folder = import.meta.dirname;
const python = resolve(folder, '../../../.venv/bin/python');

/** Attempts of one household program to reach outside addresses. */
const outgoingSchema = z.object({
  /** The program; without containers its command line, and those of the programs that started it. */
  program: z.array(z.string()),
  to: z.string().nullable(),
  /** The names it asked a name server for. */
  names: z.array(z.string()),
});
export type Outgoing = z.infer<typeof outgoingSchema>;

/** The file for a watch's findings. */
export async function newReport(folder: string): Promise<string> {
  const report = join(folder, 'outgoing.jsonl');
  await writeFile(report, '');
  return report;
}

export async function readReport(report: string): Promise<Outgoing[]> {
  const lines = (await readFile(report, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => outgoingSchema.parse(JSON.parse(line)));
}

/** A command prefix that watches the command and its child processes. */
export const watchedCommand = (report: string) => [python, join(folder, 'watch-calls.py'), report];

/** Watches the containers of a compose project, including those created later. */
export const containerWatch = (report: string, project: string) => [
  python,
  join(folder, 'watch-containers.py'),
  report,
  project,
];

/** Whether the kernel allows watching a program's calls. */
export const canWatchCalls = succeeds([...watchedCommand('/dev/null'), 'true']);
/** Only root may listen in the networks of containers. */
export const canWatchContainers = process.getuid?.() === 0;

function succeeds([program = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
