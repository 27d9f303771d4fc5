import type { components } from '../../../api/src/http/contract-types.ts';
import { announcedWords } from '../parts/words.ts';
import { CallError, type Caller, sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';

type Announcement = components['schemas']['Announcement'];
type AnnouncementRequest = components['schemas']['AnnouncementRequest'];

const quietHours =
  'Hearth announces nothing in the quiet hours. Type “Tell everybody that …”, and Hearth asks whether to do it anyway.';

/** Announces words in other rooms. Returns a sentence about the rooms that played them. */
export async function announceWords(
  caller: Caller,
  body: AnnouncementRequest,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await caller.call('/announcements', { body, ...(signal && { signal }) });
  return announcedWords(bodyOf<Announcement>(answer.body));
}

/** The reason for the failure, as a sentence. */
export function whyNotAnnounced(error: unknown): string {
  return error instanceof CallError && error.code === 'quiet_hours' ? quietHours : sentenceOf(error);
}
