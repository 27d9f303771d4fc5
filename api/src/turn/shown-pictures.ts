import { AppError } from '../errors.ts';

/** Pictures shown with a question, as `data:` URLs. */
export interface ShownPictures {
  urls: readonly string[];
  /** `now`: the question is about them. `before`: they came with an earlier question. */
  when: 'now' | 'before';
}

/** Whether the language model accepts pictures, and the question for pictures without text. */
export interface PictureSupport {
  sees: () => boolean;
  aboutPictures: string;
}

/** Limits that household language models can handle: pictures, and characters of their `data:` URLs. */
const limits = { pictures: 4, characters: 10_000_000 };
const dataUrlStart = /^data:image\/(?:png|jpeg|webp|gif|bmp);base64,(?=[^=])/;

/**
 * Returns the URL if the picture can be shown. Throws `invalid_request` for other URLs, because Hearth
 * fetches nothing.
 */
export function checkedPicture(url: string | null, param: string): string {
  if (url === null)
    throw refused('Send the picture in the request, as "image_url". Hearth stores no files.', param);
  if (isPicture(url)) return url;
  throw refused(
    /^https?:/i.test(url)
      ? 'Hearth fetches no pictures from elsewhere. Send the picture itself, as a "data:" URL.'
      : 'A picture is a "data:" URL in base64: image/jpeg, image/png, image/webp, image/gif or image/bmp.',
    param,
  );
}

/** Throws `invalid_request` if there are too many pictures, or too large ones. */
export function assertFewPictures(urls: readonly string[], param: string): void {
  if (urls.length > limits.pictures)
    throw refused(`More than ${limits.pictures} pictures cannot be shown at once.`, param);
  if (lengthOf(urls) > limits.characters)
    throw refused(`The pictures are too large: ${limits.characters / 1e6} MB of base64 at most.`, param);
}

/** The newest valid pictures that fit. */
export function newestPictures(urls: readonly string[]): string[] {
  let kept = urls.filter(isPicture).slice(-limits.pictures);
  while (lengthOf(kept) > limits.characters) kept = kept.slice(1);
  return kept;
}

/**
 * Whether it is a `data:` URL of a picture. Searches for an invalid character, because a regular expression
 * over the whole string would backtrack over megabytes.
 */
function isPicture(url: string): boolean {
  const start = dataUrlStart.exec(url)?.[0];
  return start !== undefined && !/[^A-Za-z0-9+/]/.test(url.slice(start.length).replace(/={1,2}$/, ''));
}

function lengthOf(urls: readonly string[]): number {
  return urls.reduce((sum, { length }) => sum + length, 0);
}

function refused(message: string, param: string): AppError {
  return new AppError('invalid_request', message, { param });
}
