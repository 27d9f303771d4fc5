import { z } from 'zod';
import { parseJson } from '../json.ts';
import { checkedPicture } from '../turn/shown-pictures.ts';
import type { ItemParams, ResponseParams } from './client-events.ts';
import { othersIn } from './input-state.ts';
import type { RequestedResponse } from './open-response.ts';
import { refused } from './refusals.ts';
import { soundFormatOf } from './sound-formats.ts';

const understood = new Set(['metadata', 'output_modalities', 'conversation', 'input', 'audio']);
const [understoodOfAudio, understoodOfOutput] = [new Set(['output']), new Set(['format'])];

/**
 * The client's options for this response. Throws `invalid_request` for one outside the conversation, which
 * Hearth does not support.
 */
export function requestedResponse(params: ResponseParams): RequestedResponse {
  const { metadata = null, output_modalities: modalities, conversation, audio } = params;
  const format = audio?.output?.format;
  if (conversation === 'none')
    throw refused('Hearth always answers in the conversation. Omit "conversation".', 'response.conversation');
  return {
    metadata,
    isSilent: modalities ? !modalities.includes('audio') : undefined,
    output: format ? soundFormatOf(format) : undefined,
    ignored: [
      ...othersIn(params, understood, ''),
      ...othersIn(audio, understoodOfAudio, 'audio.'),
      ...othersIn(audio?.output, understoodOfOutput, 'audio.output.'),
    ],
  };
}

/** The same options without this field in the list of ignored ones. */
export function followed(requested: RequestedResponse, field: string): RequestedResponse {
  return { ...requested, ignored: requested.ignored.filter((name) => name !== field) };
}

/** Text and pictures that a person sent. */
export interface UserInput {
  text: string;
  pictures: readonly string[];
}

/**
 * Whether an item is an answer, a function call or its result. Clients load earlier conversations, and no
 * action may run twice: messages before such an item are answered already.
 */
export function isAnswer({ type, role }: ItemParams): boolean {
  return role === 'assistant' || type === 'function_call' || type === 'function_call_output';
}

/** pipecat loads an earlier conversation as one item of a user: JSON between two paragraphs. */
const savedConversation =
  /^\s*This is a previously saved conversation\..*?(\[\n.*\n\])\s*This is the end of /s;
const savedTextSchema = z.union([
  z.string(),
  z.array(z.looseObject({ text: z.string().optional() })).transform(textOf),
]);
const savedSchema = z.array(z.looseObject({ role: z.string(), content: savedTextSchema.nullish() })).min(1);

/** The words of an item. For a loaded conversation, only its last message counts, if it is the user's. */
function newWordsIn(text: string): string {
  const saved = savedSchema.safeParse(parseJson(savedConversation.exec(text)?.[1] ?? '')).data;
  const last = saved?.at(-1);
  if (last === undefined) return text;
  return last.role === 'user' ? (last.content ?? '') : '';
}

function textOf(parts: readonly { text?: string | null | undefined }[]): string {
  return parts.flatMap(({ text }) => text ?? []).join('\n');
}

/**
 * Text and pictures of an item. Throws `invalid_request` for other content, and for pictures if the model
 * cannot see.
 */
export function writtenOf({ content }: ItemParams, param: string, { sees }: { sees: boolean }): UserInput {
  const parts = content ?? [];
  for (const { type } of parts) {
    if (type === 'input_image' && !sees)
      throw refused('The language model of this household cannot see pictures.', param);
    if (type !== 'input_text' && type !== 'input_image')
      throw refused(
        'An item may contain only "input_text" and "input_image". Append sound to the input audio buffer.',
        param,
      );
  }
  const shown = parts.filter(({ type }) => type === 'input_image');
  return {
    text: newWordsIn(textOf(parts)),
    pictures: shown.map(({ image_url }) => checkedPicture(image_url ?? null, param)),
  };
}

export const isNothing = ({ text, pictures }: UserInput): boolean => text === '' && pictures.length === 0;

/**
 * Instructions without a message to answer, such as for a greeting. Null: no instructions, or a message
 * waits.
 */
export function orderAlone({ instructions }: ResponseParams, waiting: UserInput): UserInput | null {
  const text = instructions?.trim() ?? '';
  return text === '' || !isNothing(waiting) ? null : { text, pictures: [] };
}

/** Joins all waiting messages into one question. */
export function together(written: readonly UserInput[]): UserInput {
  const text = written
    .map((each) => each.text)
    .join('\n')
    .trim();
  return { text, pictures: written.flatMap(({ pictures }) => pictures) };
}

/** The person's last message among the items that a response should answer. */
export function lastWritten(items: readonly ItemParams[], sight: { sees: boolean }): UserInput {
  const last = items.findLast(({ role }) => role === 'user');
  return together(last ? [writtenOf(last, 'response.input', sight)] : []);
}
