import { AppError } from '../errors.ts';

/** A message of any of OpenAI's interfaces. */
export interface Message {
  role: string;
  content?: unknown;
  tool_calls?: unknown;
  function_call?: unknown;
}

/** The kinds of parts that are pictures, in a chat and in OpenAI's responses. */
export const pictureKinds: ReadonlySet<string> = new Set(['image_url', 'input_image']);

/** More than a language model of a household reads at once; a turn's record stays small. */
const maxCharacters = 100_000;

/**
 * The words of the last user message, the only one that counts; `otherwise` where it has none. Throws
 * `no_user_message` when there is no message, or no word. Control characters and halves of surrogate pairs
 * are left out: such text comes from pasting, and there is nobody to complain to.
 */
export function lastUserWords(messages: readonly Message[], param = 'messages', otherwise = ''): string {
  const message = messages.findLast(({ role }) => role === 'user');
  if (!message) throw new AppError('no_user_message', undefined, { param });
  const words = cleanWordsOf(message.content) || otherwise;
  if (words === '') throw new AppError('no_user_message', 'The last user message has no words.', { param });
  if (words.length > maxCharacters) throw new AppError('question_too_long', undefined, { param });
  return words;
}

/** What was asked and answered before the last user message, as the caller tells it, oldest first. */
export function toldBefore(messages: readonly Message[]): { question: string; answer: string }[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  let question: string | null = null;
  return messages.slice(0, Math.max(last, 0)).flatMap(({ role, content }) => {
    if (role === 'user') question = cleanWordsOf(content);
    if (role !== 'assistant' || question === null) return [];
    const told = { question, answer: cleanWordsOf(content) };
    question = null;
    return [told];
  });
}

const kindsOfWords = new Set(['text', 'input_text', 'output_text']);

/**
 * Whether the last user message shows or plays something that nobody here can take in: a sound, a file, a
 * picture where the model sees none.
 */
export function hasMoreThanWords(messages: readonly Message[], { sees }: { sees: boolean }): boolean {
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.some(
    (part) =>
      typeof part === 'object' &&
      part !== null &&
      'type' in part &&
      typeof part.type === 'string' &&
      !kindsOfWords.has(part.type) &&
      !(sees && pictureKinds.has(part.type)) &&
      wordsOfPart(part) === '',
  );
}

/** Without control characters and halves of surrogate pairs. */
function cleanWordsOf(content: unknown): string {
  return wordsOf(content)
    .replace(/[\p{Cs}\p{Cc}]/gu, (character) => (/[\t\n\r]/.test(character) ? character : ''))
    .trim();
}

/** `content` may be any JSON; the contract says what each kind means. */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (typeof content === 'number' || typeof content === 'boolean') return String(content);
  if (Array.isArray(content)) return content.map(wordsOfPart).filter(Boolean).join('\n');
  return wordsOfPart(content);
}

function wordsOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (typeof part !== 'object' || part === null || !('text' in part)) return '';
  return typeof part.text === 'string' ? part.text : '';
}

/**
 * `question`: somebody asks. `answer`: it has been answered, and is to go on. `result`: a tool of the
 * caller's was called.
 */
export type MessagesEnd = 'question' | 'answer' | 'result';

/** What a chat ends with. Instructions and empty messages at its end count for nothing. */
export function endOfChat(messages: readonly Message[]): MessagesEnd {
  for (const message of messages.toReversed()) {
    const end = endWith(message);
    if (end !== null) return end;
  }
  return 'question';
}

function endWith({ role, content, tool_calls: calls, function_call: call }: Message): MessagesEnd | null {
  if (role === 'user') return 'question';
  if (instructing.has(role)) return null;
  if (role !== 'assistant' || call || (Array.isArray(calls) && calls.length > 0)) return 'result';
  return cleanWordsOf(content) === '' ? null : 'answer';
}

/** Roles of what nobody said. Items of a response without a role are thoughts and references. */
const instructing: ReadonlySet<string> = new Set(['system', 'developer', 'reasoning', 'item_reference', '']);

/**
 * How Open WebUI's own prompts begin: titles, tags, follow-ups, queries and the like; a face for a message;
 * several answers made one; a tool to choose.
 */
const taskOpenings = [
  /^### Task:(?!\s+Respond to the user query)/,
  /^Your task is to [^\n]*\n\s*Message:/,
  /^You have been provided with a set of responses from various .*?\n\s*Your task is to /s,
  /^Available Tools:/,
  /^Here is the query:\n.*\n\s*Create a /s,
];
/** The same for any that its administrator has changed, as long as it shows the chat. */
const shownChat = /<chat_history>.*<\/chat_history>/s;
/** The question about a tool comes behind instructions that list the tools. */
const [toolList, toolQuery] = [/^Available Tools:/, /^(?:Query|History):/];

/**
 * Whether the last user message is one of Open WebUI's own tasks. They come in the chat's own name and are no
 * part of the conversation. A person's question about attached documents comes in the same dress and is one.
 */
export function isOpenWebUiTask(messages: readonly Message[]): boolean {
  const words = cleanWordsOf(messages.findLast(({ role }) => role === 'user')?.content);
  if (taskOpenings.some((opening) => opening.test(words)) || shownChat.test(words)) return true;
  const isInstructed = messages.some(
    ({ role, content }) => instructing.has(role) && toolList.test(cleanWordsOf(content)),
  );
  return isInstructed && toolQuery.test(words);
}
