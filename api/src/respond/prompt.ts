import type { ChatMessage } from '../engines/llm-client.ts';
import type { Exchange, Turn } from '../turn/turn.ts';

/**
 * The model's standing instructions. They stand first in every prompt and never vary, not by a byte: the engine keeps what it has read only
 * as far as two prompts agree. What changes (date, time, room) belongs into the context line.
 */
export const systemPrompt = [
  'You are Hearth, a voice assistant in a home. Your words are spoken aloud.',
  'Answer in one to three short sentences of plain words: no lists, no headings, no symbols, no links.',
  'The brackets before a question tell the date, the time and the room. Use them only when they are asked about.',
  'You cannot control devices, timers or lists here. Never say that you did something; say that you cannot.',
  'When you do not know, say so.',
].join(' ');

/** What the model must know about this very moment, in front of the question that it is stored with. */
export function contextLine({ createdAt, room }: Pick<Turn, 'createdAt' | 'room'>, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(createdAt);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value;
  const date = `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}`;
  const where = room === null ? '' : ` Room: ${room}.`;
  return `(It is ${date}, ${part('hour')}:${part('minute')}.${where})`;
}

/** The whole prompt: instructions, what was said before, the newest question. */
export function promptOf(exchanges: readonly Exchange[], newest: string): ChatMessage[] {
  return [
    { role: 'system', content: systemPrompt },
    ...exchanges.flatMap(({ user, assistant }): ChatMessage[] => [
      { role: 'user', content: user },
      { role: 'assistant', content: assistant },
    ]),
    { role: 'user', content: newest },
  ];
}
