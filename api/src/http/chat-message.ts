import { AppError } from '../errors.ts';
import { pictureKinds } from './chat-pictures.ts';

/** A message of any of OpenAI's interfaces. */
export interface Message {
  role: string;
  content?: unknown;
}

/** More than a language model of a household reads at once; a turn's record stays small. */
const maxCharacters = 100_000;

/**
 * The words of the last user message, the only one that counts; `otherwise` where it has none. Throws `no_user_message` when there is no message, or no word. Control
 * characters and halves of surrogate pairs are left out: such text comes from pasting, and there is nobody to complain to.
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

/** Whether the last user message shows or plays something that nobody here can take in: a sound, a file, a picture where the model sees none. */
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
 * Open WebUI asks for titles and tags of a chat in the chat's own name; they are no part of the conversation. A person's question about attached
 * documents comes in the same dress and is one.
 */
export function isOpenWebUiTask(words: string): boolean {
  return words.startsWith('### Task:') && !/^### Task:\s+Respond to the user query/.test(words);
}
