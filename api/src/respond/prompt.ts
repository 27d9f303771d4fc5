import type { ChatMessage } from '../engines/llm-client.ts';
import type { Exchange, Turn } from '../turn/turn.ts';

/**
 * The model's standing instructions. They stand first in every prompt and never vary, not by a byte: the engine keeps what it has read only
 * as far as two prompts agree. What changes (date, time, room) belongs into the context line. Few words on purpose: with twice as many the
 * smallest model no longer finds the capital of France.
 */
export const systemPrompt = [
  'You are Hearth, a helpful voice assistant.',
  'Answer correctly and briefly, in plain words without lists, symbols or links.',
  'You cannot set timers, keep lists or control devices: never say that you did.',
  'If you do not know, say so.',
].join(' ');

/** What the model must know about the moment of a question, in front of the question that it is stored with. */
export function createContextLine(timeZone: string) {
  // Made once: it takes ten times as long as its use.
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

  return ({ createdAt, room }: Pick<Turn, 'createdAt' | 'room'>): string => {
    const parts = format.formatToParts(createdAt);
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value;
    const date = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`;
    const where = room === null ? '' : ` Room: ${room}.`;
    return `(It is ${date}, ${part('hour')}:${part('minute')}.${where})`;
  };
}

/** The whole prompt: instructions, what was said before, the newest question; null while that is not known yet. */
export function promptOf(exchanges: readonly Exchange[], newest: string | null): ChatMessage[] {
  return [
    { role: 'system', content: systemPrompt },
    ...exchanges.flatMap(({ user, assistant }): ChatMessage[] => [
      { role: 'user', content: user },
      { role: 'assistant', content: assistant },
    ]),
    ...(newest === null ? [] : [{ role: 'user', content: newest } as const]),
  ];
}
