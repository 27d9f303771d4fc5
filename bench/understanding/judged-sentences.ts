import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { verdicts } from './sentences.ts';

/** The outcome of a sentence: a person's verdict, none yet, or an answer from the language model alone. */
export const outcomes = [...verdicts, 'unjudged', 'model'] as const;
const outcomeSchema = z.enum(outcomes);
export type Outcome = z.infer<typeof outcomeSchema>;

/** A sentence and its outcome: a line of the results. */
export interface JudgedSentence {
  id: string;
  intent: string;
  /** Its group of supported intents; null if it is for another assistant. */
  group: string | null;
  via: string;
  outcome: Outcome;
  /** The number of its changes. */
  acts: number;
  tookMs: number;
  happened: string;
  text: string;
  reply: string;
}

const none = '-';

/** Starts new results, or appends to the existing ones. */
export function writeJudged(file: string, judged: readonly JudgedSentence[], isFirst: boolean): void {
  const write = isFirst ? writeFileSync : appendFileSync;
  write(file, judged.map((each) => `${lineOf(each)}\n`).join(''));
}

/** All results so far. */
export function readJudged(file: string): JudgedSentence[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map(judgedOf);
}

export function lineOf(judged: JudgedSentence): string {
  const { id, intent, group, via, outcome, acts, tookMs, happened, text, reply } = judged;
  const columns = [id, intent, group ?? none, via, outcome, String(acts), tookMs.toFixed(1)];
  return [...columns, happened, text, reply].map((column) => column.replaceAll(/\s+/g, ' ')).join('\t');
}

function judgedOf(line: string): JudgedSentence {
  const columns = line.split('\t');
  const [id = '', intent = '', group = none, via = '', outcome, acts, tookMs] = columns;
  const [happened = '', text = '', reply = ''] = columns.slice(7);
  return {
    id,
    intent,
    via,
    happened,
    text,
    reply,
    group: group === none ? null : group,
    outcome: outcomeSchema.parse(outcome),
    acts: Number(acts),
    tookMs: Number(tookMs),
  };
}
