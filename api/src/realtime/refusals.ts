import { AppError } from '../errors.ts';

/** OpenAI's codes of refusals. Their clients end the connection on others, and go on after some of these. */
export type RefusalCode =
  | 'invalid_value'
  | 'invalid_type'
  | 'unknown_parameter'
  | 'missing_required_parameter'
  | 'response_cancel_not_active'
  | 'conversation_already_has_active_response'
  | 'input_audio_buffer_commit_empty'
  | 'item_retrieve_invalid_item_id'
  | 'item_delete_invalid_item_id'
  | 'item_truncate_invalid_item_id';

/** A refusal of a client's event. */
export function refused(
  message: string,
  param?: string,
  openaiCode: RefusalCode = 'invalid_value',
): AppError {
  return new AppError('invalid_request', message, { openaiCode, ...(param && { param }) });
}

/** OpenAI's limit: less is no speech, but a mistake in the client. */
const minCommitMs = 100;

/** Throws where less sound is committed than anybody could say something in. */
export function assertCommittable(ms: number): void {
  if (ms < minCommitMs)
    throw refused(
      `There are ${Math.floor(ms)} ms of sound in the buffer. To commit it, append at least ${minCommitMs} ms.`,
      undefined,
      'input_audio_buffer_commit_empty',
    );
}

const codes: Readonly<Record<string, RefusalCode>> = {
  no_audio: 'input_audio_buffer_commit_empty',
  invalid_request: 'invalid_value',
};

/** The code that OpenAI's clients know for an error of a live connection. */
export function realtimeCode({
  code,
  openaiCode,
}: {
  code: string;
  openaiCode?: string | undefined;
}): string {
  return openaiCode ?? codes[code] ?? code;
}
