import { z } from 'zod';
import type { Grammar } from '../../language/grammar/grammar.ts';
import type { NewTimer, Timer } from '../../timers/timer.ts';
import { remainingMs } from '../../timers/timer.ts';
import { replyOf } from '../core/skill.ts';
import type { TimerSkill } from '../skills/timers/timer-skill.ts';
import { defineTool, type Tool, type ToolAsk, type ToolOutcome } from './tool.ts';
import type { SayTool } from './tool-words.ts';
import type { HasUserEvidence } from './user-evidence.ts';

interface TimerToolsOptions {
  skill: Pick<TimerSkill, 'talk' | 'intents'>;
  grammar: Grammar;
  hasUserEvidence: HasUserEvidence;
  ask: SayTool;
}

/** The store rejects longer labels. */
const label = z.string().max(1_000).optional().describe('What it is for, in a word or two.');

/** Tools for the household's timers, with the functions of the timer skill. */
export function createTimerTools(options: TimerToolsOptions): Tool[] {
  const labels = createLabelReader(options);
  return [setTool(options, labels), listTool(options), cancelTool(options, labels)];
}

type LabelReader = ReturnType<typeof createLabelReader>;

/** Reads a model's timer labels, and finds the timers. */
function createLabelReader({ skill, grammar }: TimerToolsOptions) {
  const { choice, read } = skill.talk;

  /** A label as a model writes it: "pasta", or "pasta timer". */
  const saidAs = (text: string) => read.names.readTimer(grammar.readWords(text), 0)?.value ?? null;

  const nameOf = (text: string | undefined): string | null => {
    const given = text?.trim() || null;
    return given === null ? null : (saidAs(given)?.label ?? given);
  };

  const newTimer = (durationMs: number, name: string | null, { turn }: ToolAsk): NewTimer => {
    const isRoom = name !== null && read.names.isRoom(name);
    return {
      kind: 'timer',
      label: isRoom ? null : name,
      room: isRoom ? name.toLowerCase() : turn.room,
      client: turn.conversation,
      setAt: turn.createdAt,
      dueAt: turn.createdAt + durationMs,
      durationMs,
      by: 'length',
    };
  };

  /** The timers that a label may mean; without a label, all but alarms and reminders. */
  const meant = async (text: string | undefined): Promise<Timer[]> => {
    const all = await choice.active();
    const said = text ? saidAs(text) : null;
    if (said) return choice.matching(all, said);
    return text ? read.names.withLabel(all, text) : all.filter(({ kind }) => kind === 'timer');
  };

  return { saidAs, nameOf, newTimer, meant };
}

function setTool({ skill, hasUserEvidence, ask: shall }: TimerToolsOptions, labels: LabelReader): Tool {
  const { actions, hearable, reply, say } = skill.talk;
  return defineTool({
    name: 'set_timer',
    description: 'Set a timer.',
    effect: 'act',
    args: z.object({ duration_seconds: z.int().describe('How long, in seconds.'), label }),
    async question({ duration_seconds: seconds, label: text }, ask) {
      const [durationMs, name] = [seconds * 1_000, labels.nameOf(text)];
      if (hasUserEvidence({ act: 'timer', isOfTimer: true, durationMs, text: name }, ask.turn.text))
        return null;
      if (actions.refusal(labels.newTimer(durationMs, name, ask), ask) !== null) return null;
      const duration = say.duration(durationMs);
      return name === null
        ? shall('shall_set', { duration }, ask.turn)
        : shall('shall_set_named', { duration, label: name }, ask.turn);
    },
    async run(args, ask): Promise<ToolOutcome> {
      const { turn } = ask;
      const [durationMs, name] = [args.duration_seconds * 1_000, labels.nameOf(args.label)];
      const timer = await actions.set(ask, labels.newTimer(durationMs, name, ask));
      if ('refusal' in timer) return { state: 'failed', error: timer.refusal, said: timer.refusal };
      const values = { name: say.newName(timer), duration: say.duration(durationMs) };
      const result = { ok: true, duration_seconds: args.duration_seconds };
      return {
        state: 'done',
        result: name === null ? result : { ...result, label: name },
        said: await hearable(ask, reply('set', values, turn)),
      };
    },
  });
}

function listTool({ skill }: TimerToolsOptions): Tool {
  const { choice, say } = skill.talk;
  const described = (timer: Timer, now: number) => ({
    ...(timer.kind !== 'timer' && { kind: timer.kind }),
    ...(timer.label === null ? { name: say.called(timer) } : { label: timer.label }),
    ...(timer.state === 'paused' && { paused: true }),
    remaining_seconds: Math.ceil(remainingMs(timer, now) / 1_000),
  });

  return defineTool({
    name: 'list_timers',
    description: 'Show the timers that are running.',
    effect: 'read',
    bringsWords: true,
    args: z.object({}),
    async run(_args, ask): Promise<ToolOutcome> {
      const timers = await choice.active();
      const result = { timers: timers.map((timer) => described(timer, ask.turn.createdAt)) };
      return { state: 'done', result, said: (await replyOf(skill, 'list', ask)) ?? '' };
    },
  });
}

function cancelTool({ skill, hasUserEvidence, ask: shall }: TimerToolsOptions, labels: LabelReader): Tool {
  const { actions, choice, say } = skill.talk;
  const askWhich = (ask: ToolAsk, found: readonly Timer[]) =>
    choice.askWhich({ ...ask, turn: { ...ask.turn, id: ask.turnId } }, found, { how: 'cancel', ms: 0 });

  return defineTool({
    name: 'cancel_timer',
    description: 'Cancel a timer.',
    effect: 'act',
    args: z.object({ label: label.describe('Which one, if there are several.') }),
    async question(args, ask) {
      const text = args.label?.trim();
      const found = await labels.meant(text);
      const isMeant = hasUserEvidence(
        { act: 'cancel', isOfTimer: !text, text: labels.nameOf(text) },
        ask.turn.text,
      );
      // If none matches `run` says so; if several do, it asks which.
      if (isMeant || found.length !== 1) return null;
      return shall('shall_cancel', { timers: say.all(found) }, ask.turn);
    },
    async run(args, ask): Promise<ToolOutcome> {
      const text = args.label?.trim();
      const found = await labels.meant(text);
      if (found.length === 0) {
        const said = choice.none(
          { kind: 'timer', label: text ? (labels.saidAs(text)?.label ?? text) : null },
          ask,
        );
        return { state: 'failed', error: 'There is no such timer.', said };
      }
      if (found.length > 1) return { state: 'asks', said: await askWhich(ask, found) };
      return { state: 'done', result: { ok: true }, said: await actions.cancel(ask, found) };
    },
  });
}
