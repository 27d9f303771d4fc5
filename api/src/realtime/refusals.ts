import { AppError } from '../errors.ts';

/**
 * OpenAI's error codes. Its clients close the connection on unknown codes and continue after some of these.
 */
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
  | 'item_truncate_invalid_item_id'
  | 'unsupported_content_type';

/** Refuses a client's event. */
export function refused(
  message: string,
  param?: string,
  openaiCode: RefusalCode = 'invalid_value',
): AppError {
  return new AppError('invalid_request', message, { openaiCode, ...(param && { param }) });
}

const codes: Readonly<Record<string, RefusalCode>> = {
  no_audio: 'input_audio_buffer_commit_empty',
  invalid_request: 'invalid_value',
};

/** The error code that OpenAI's clients know on a live connection. */
export function realtimeCode({
  code,
  openaiCode,
}: {
  code: string;
  openaiCode?: string | undefined;
}): string {
  return openaiCode ?? codes[code] ?? code;
}
