import type { Exchange, Round } from '../../conversations/exchange.ts';
import type { ChatMessage } from '../../engines/llm-request.ts';
import { fill, type Phrase } from '../../language/phrase.ts';
import type { PromptWords } from '../../language/prompt-schema.ts';
import type { Turn } from '../../turn/turn.ts';
import type { Tool } from './tool.ts';

/** The start of every prompt: identical bytes until a setting changes. */
export interface PromptHead {
  system: string;
  /** Tells the model about an answer from Hearth's rules. */
  note: Phrase;
  tools: readonly Tool[];
}

interface HeadOptions {
  tools?: readonly Tool[];
  persona?: string;
}

/**
 * The model's standing instructions, then the household's own text about its assistant. They come first in
 * every prompt and must stay byte-identical, because the engine caches only a common prefix. Changing values
 * (date, time, room) belong in the context line.
 */
export function promptHead(
  { instructions, note }: PromptWords,
  { tools = [], persona = '' }: HeadOptions = {},
) {
  const { always, with_tools, without_tools, last } = instructions;
  const system = [...always, ...(tools.length > 0 ? with_tools : without_tools), ...last].join(' ');
  const own = persona.trim();
  return { system: own === '' ? system : `${system}\n${own}`, note, tools } satisfies PromptHead;
}

export type ContextLine = ReturnType<typeof createContextLine>;

/** Builds the line with the time and room of a question. It precedes the question and is stored with it. */
export function createContextLine(timeZone: string, words: PromptWords) {
  // Created once: creation takes ten times as long as use.
  const format = new Intl.DateTimeFormat(words.locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

  return ({ createdAt, room }: Pick<Turn, 'createdAt' | 'room'>): string => {
    const moment = Object.fromEntries(
      format.formatToParts(createdAt).map(({ type, value }) => [type, value]),
    );
    return room === null ? fill(words.context, moment) : fill(words.context_in_room, { ...moment, room });
  };
}

interface PromptOptions {
  head: PromptHead;
  exchanges: readonly Exchange[];
  /** The newest question, or its beginning. */
  newest: string;
  /** The pictures sent with it. */
  pictures?: readonly string[];
  /** The tool calls made for it, with their results. */
  rounds?: readonly Round[];
}

/** The messages of a prompt: instructions, earlier exchanges, the newest question and its tool calls. */
export function promptOf({
  head,
  exchanges,
  newest,
  pictures = [],
  rounds = [],
}: PromptOptions): ChatMessage[] {
  const hasTools = head.tools.length > 0;
  // A model without tools sees no calls either.
  const called = (made: readonly Round[]) => (hasTools ? made.flatMap(roundMessages) : []);
  const shown = exchanges.filter(({ isAside }) => hasTools || !isAside);
  let notes = '';
  const history: ChatMessage[] = [];
  for (const exchange of shown) {
    const { user, assistant, isOurs, rounds: made = [] } = exchange;
    if (isOurs && !(hasTools && made.length > 0)) {
      notes += `${noteOf(exchange, head.note)} `;
      continue;
    }
    history.push({ role: 'user', content: `${notes}${user}` }, ...called(made), {
      role: 'assistant',
      content: assistant,
    });
    notes = '';
  }
  return [
    { role: 'system', content: head.system },
    ...history,
    { role: 'user', content: `${notes}${newest}`, ...(pictures.length > 0 && { pictures }) },
    ...called(rounds),
  ];
}

/**
 * An answer from Hearth's rules, placed before the next question so that the model can refer to it. As a
 * model answer it would teach the model to write "I added milk" without adding any.
 */
function noteOf({ user, assistant, wordsFrom = 0 }: Exchange, note: Phrase): string {
  return fill(note, { question: user.slice(wordsFrom), answer: assistant });
}

function roundMessages({ content, calls, results }: Round): ChatMessage[] {
  return [
    { role: 'assistant', content, calls },
    ...calls.map(({ id }, at) => ({ role: 'tool', callId: id, content: results[at] ?? '' }) as const),
  ];
}
