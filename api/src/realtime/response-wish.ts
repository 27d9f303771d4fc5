import { checkedPicture } from '../turn/shown-pictures.ts';
import type { ItemWish, ResponseWish } from './client-events.ts';
import { othersIn } from './hearing-state.ts';
import type { AskedResponse } from './open-response.ts';
import { refused } from './refusals.ts';

const understood = new Set(['metadata', 'output_modalities', 'conversation', 'input']);

/** How a client wants this one response. Throws `invalid_request` for one beside the conversation: it would be another answer. */
export function askedResponse(wish: ResponseWish): AskedResponse {
  const { metadata = null, output_modalities: modalities, conversation } = wish;
  if (conversation === 'none')
    throw refused('Hearth answers in the conversation. Leave "conversation" out.', 'response.conversation');
  return {
    metadata,
    isSilent: modalities ? !modalities.includes('audio') : undefined,
    ignored: othersIn(wish, understood, ''),
  };
}

/** The same where this field was followed after all. */
export function followed(asked: AskedResponse, field: string): AskedResponse {
  return { ...asked, ignored: asked.ignored.filter((name) => name !== field) };
}

/** What a person has written, and shown with it. */
export interface Written {
  text: string;
  pictures: readonly string[];
}

/** What a person has written in an item. Throws `invalid_request` for anything but words, and pictures where the model sees them. */
export function writtenOf({ content }: ItemWish, param: string, { sees }: { sees: boolean }): Written {
  const parts = content ?? [];
  for (const { type } of parts) {
    if (type === 'input_image' && !sees)
      throw refused('The language model of this household cannot see pictures.', param);
    if (type !== 'input_text' && type !== 'input_image')
      throw refused('An item holds "input_text" here; append sound to the buffer.', param);
  }
  const shown = parts.filter(({ type }) => type === 'input_image');
  return {
    text: parts.flatMap(({ text }) => text ?? []).join('\n'),
    pictures: shown.map(({ image_url }) => checkedPicture(image_url ?? null, param)),
  };
}

export const isNothing = ({ text, pictures }: Written): boolean => text === '' && pictures.length === 0;

/** Instructions where nothing else is to be answered, as for a greeting; null: there are none, or something is. */
export function orderAlone({ instructions }: ResponseWish, waiting: Written): Written | null {
  const text = instructions?.trim() ?? '';
  return text === '' || !isNothing(waiting) ? null : { text, pictures: [] };
}

/** All that was written, as one question. */
export function together(written: readonly Written[]): Written {
  const text = written
    .map((each) => each.text)
    .join('\n')
    .trim();
  return { text, pictures: written.flatMap(({ pictures }) => pictures) };
}

/** What a person says last in the items that a response is to answer. */
export function lastWritten(items: readonly ItemWish[], sight: { sees: boolean }): Written {
  const last = items.findLast(({ role }) => role === 'user');
  return together(last ? [writtenOf(last, 'response.input', sight)] : []);
}
