import {
  assertFewPictures,
  checkedPicture,
  newestPictures,
  type ShownPictures,
} from '../turn/shown-pictures.ts';
import { type Message, pictureKinds } from './chat-message.ts';

/**
 * The pictures of a chat: all of the last user message, then earlier ones while there is room. Follow-up
 * questions refer to earlier pictures. Undefined: no pictures. Throws `invalid_request` if a picture of the
 * last message cannot be shown.
 */
export function shownPictures(messages: readonly Message[], param: string): ShownPictures | undefined {
  const urls = messages.filter(({ role }) => role === 'user').map(({ content }) => urlsOf(content));
  const now = (urls.pop() ?? []).map((url) => checkedPicture(url, param));
  assertFewPictures(now, param);
  const shown = newestPictures([...urls.flat().flatMap((url) => url ?? []), ...now]);
  return shown.length === 0 ? undefined : { urls: shown, when: now.length > 0 ? 'now' : 'before' };
}

/** The address of each picture, or null if a part has none. */
function urlsOf(content: unknown): (string | null)[] {
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.filter(isPicture).map(urlOf);
}

function isPicture(part: unknown): part is object {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    typeof part.type === 'string' &&
    pictureKinds.has(part.type)
  );
}

function urlOf(part: object): string | null {
  const given: unknown = 'image_url' in part ? part.image_url : null;
  const url = typeof given === 'object' && given !== null && 'url' in given ? given.url : given;
  return typeof url === 'string' ? url : null;
}
