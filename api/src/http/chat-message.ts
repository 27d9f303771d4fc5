import { AppError } from '../errors.ts';

/** A message of any OpenAI interface. */
export interface Message {
  role: string;
  content?: unknown;
  tool_calls?: unknown;
  function_call?: unknown;
  refusal?: unknown;
  /** A spoken answer, which has no words. */
  audio?: unknown;
}

/** Content part types that are pictures, in chat completions and in responses. */
export const pictureKinds: ReadonlySet<string> = new Set(['image_url', 'input_image']);

/** Maximum length. A household's language model cannot read more at once, and a turn's record stays small. */
const maxCharacters = 100_000;

/**
 * The words of the last user message, the only one that counts, or `otherwise` if it has none. Throws
 * `no_user_message` if there is no message or no word. Drops control characters and lone surrogates without
 * an error, because they come from pasting.
 */
export function lastUserWords(messages: readonly Message[], param = 'messages', otherwise = ''): string {
  const message = messages.findLast(({ role }) => role === 'user');
  if (!message) throw new AppError('no_user_message', undefined, { param });
  const words = cleanWordsOf(message.content) || otherwise;
  if (words === '') throw new AppError('no_user_message', 'The last user message has no words.', { param });
  if (words.length > maxCharacters) throw new AppError('question_too_long', undefined, { param });
  return words;
}

/** The questions and answers before the last user message as the caller sends them, oldest first. */
export function earlierExchanges(messages: readonly Message[]): { question: string; answer: string }[] {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  let question: string | null = null;
  return messages.slice(0, Math.max(last, 0)).flatMap(({ role, content }) => {
    if (role === 'user') question = cleanWordsOf(content);
    if (role !== 'assistant' || question === null) return [];
    const exchange = { question, answer: cleanWordsOf(content) };
    question = null;
    return [exchange];
  });
}

const kindsOfWords = new Set(['text', 'input_text', 'output_text']);

/**
 * Whether the last user message contains content Hearth cannot process. Examples are sound, files, and
 * pictures when the model cannot see.
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

/** Without control characters and lone surrogates. */
function cleanWordsOf(content: unknown): string {
  return wordsOf(content)
    .replace(/[\p{Cs}\p{Cc}]/gu, (character) => (/[\t\n\r]/.test(character) ? character : ''))
    .trim();
}

/** `content` may be any JSON; the contract describes each kind. */
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
 * `question`: unanswered. `answer`: answered, to be continued. `result`: the result of one of the caller's
 * tools.
 */
export type MessagesEnd = 'question' | 'answer' | 'result';

/** How a chat ends. Ignores instructions and empty messages at its end. */
export function endOfChat(messages: readonly Message[]): MessagesEnd {
  for (const message of messages.toReversed()) {
    const end = endWith(message);
    if (end !== null) return end;
  }
  return 'question';
}

function endWith(message: Message): MessagesEnd | null {
  const { role, tool_calls: calls, function_call: call } = message;
  if (role === 'user') return 'question';
  if (instructing.has(role)) return null;
  if (role !== 'assistant' || call || (Array.isArray(calls) && calls.length > 0)) return 'result';
  return isAnswer(message) ? 'answer' : null;
}

/**
 * An assistant message without content is not an answer. A refusal or a spoken answer is, even without words.
 */
function isAnswer({ content, refusal, audio }: Message): boolean {
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const hasOther = parts.some((part) => typeof part === 'object' && part !== null && !('text' in part));
  return hasOther || [refusal, audio].some(Boolean) || cleanWordsOf(content) !== '';
}

/**
 * Roles of messages that no person or assistant said. Response items without a role are reasoning and
 * references.
 */
const instructing: ReadonlySet<string> = new Set(['system', 'developer', 'reasoning', 'item_reference', '']);

/**
 * Openings of Open WebUI's own prompts: titles, tags, follow-ups, queries, emoji for a message, merging
 * several answers, choosing a tool.
 */
const taskOpenings = [
  /^### Task:(?!\s+Respond to the user query)/,
  /^Your task is to [^\n]*\n\s*Message:/,
  /^You have been provided with a set of responses from various .*?\n\s*Your task is to /s,
  /^Available Tools:/,
  /^Here is the query:\n.*\n\s*Create a /s,
];
/** Openings of prompts by which LibreChat, NextChat, Chatbox and others name or shorten a chat. */
const namingOpenings = [
  /^(?:please )?(?:generate|provide|create|write|suggest) (?:a|an) [^\n]{0,60}\btitle [^\n]{0,40}\b(?:conversation|chat|discussion)\b/i,
  /^Based on the chat history, give this conversation a name\b/,
  /^Analyze this conversation and provide:/,
  /^(?:Given|Based on) (?:the|this) [^\n]{0,80}\btitle\b/,
  /^You need to summari[sz]e the user's conversation into a title\b/,
  /^Summarize (?:the|our) discussion briefly in \d+ words or less to use as a prompt\b/,
];
/** These prompts include rules for the title. A person who asks for one writes less. */
const minNamingCharacters = 80;
/**
 * Instructions with which LobeChat, Cherry Studio, Vercel's template and others request a name for a chat.
 * The user message is then the chat itself, or just its first message.
 */
const namesAChat = [
  /\b(?:generat|creat|summari[sz]|writ|nam)\w*\b[^\n]{0,100}\btitles?\b/i,
  /\b(?:chat|conversation|discussion|dialog(?:ue)?|(?:first|user's) message)s?\b/i,
];
/** Instructions state their purpose within these first characters. */
const purposeCharacters = 400;
/** Recognizes prompts that an Open WebUI administrator changed, if they still include the chat. */
const shownChat = /<chat_history>.*<\/chat_history>/s;
/** The prompt to choose a tool follows instructions that list the tools. */
const [toolList, toolQuery] = [/^Available Tools:/, /^(?:Query|History):/];

/**
 * Whether the last user message is a client's own task, such as a title. Tasks arrive under the chat's name
 * but are not part of the conversation. A question about attached documents has the same format and is part
 * of it.
 */
export function isClientTask(messages: readonly Message[]): boolean {
  const words = cleanWordsOf(messages.findLast(({ role }) => role === 'user')?.content);
  if (taskOpenings.some((opening) => opening.test(words)) || shownChat.test(words)) return true;
  if (words.length >= minNamingCharacters && namingOpenings.some((opening) => opening.test(words)))
    return true;
  const instructions = messages
    .filter(({ role }) => instructing.has(role))
    .map(({ content }) => cleanWordsOf(content));
  const isBegun = messages.some(({ role }) => role === 'assistant');
  if (!isBegun && instructions.some(isNaming)) return true;
  return instructions.some((each) => toolList.test(each)) && toolQuery.test(words);
}

function isNaming(instructions: string): boolean {
  const purpose = instructions.slice(0, purposeCharacters);
  return namesAChat.every((part) => part.test(purpose));
}
