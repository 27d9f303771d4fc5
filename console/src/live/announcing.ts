import type { components } from '../../../api/src/http/contract-types.ts';
import { t } from '../language/translate.ts';
import { announcedWords } from '../parts/words.ts';
import { CallError, type Caller, sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';

type Announcement = components['schemas']['Announcement'];
export type AnnouncementRequest = components['schemas']['AnnouncementRequest'];

/** Announces words in other rooms. Returns a sentence about the rooms that played them. */
export async function announceWords(
  caller: Caller,
  body: AnnouncementRequest,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await caller.call('/announcements', { body, ...(signal && { signal }) });
  return announcedWords(bodyOf<Announcement>(answer.body));
}

/** Whether only the quiet hours prevented it, so that the person can confirm it. */
export function isForQuietHours(error: unknown): boolean {
  return error instanceof CallError && error.code === 'quiet_hours';
}

/** The reason for the failure, as a sentence. */
export function whyNotAnnounced(error: unknown): string {
  return isForQuietHours(error) ? t('Hearth announces nothing in the quiet hours.') : sentenceOf(error);
}
