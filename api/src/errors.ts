/** All expected failures by code: HTTP status, OpenAI error type, and default message. */
const table = {
  invalid_request: [400, 'invalid_request_error', 'The request does not match the contract.'],
  no_audio: [400, 'invalid_request_error', 'The request contains no audio.'],
  audio_unreadable: [
    400,
    'invalid_request_error',
    'The recording cannot be read. Send WAV, Ogg, MP3, M4A, WebM, FLAC, AAC, AMR, AIFF, CAF or AU.',
  ],
  no_user_message: [400, 'invalid_request_error', 'There is no user message to answer.'],
  question_too_long: [
    400,
    'invalid_request_error',
    'The question is longer than the language model can read.',
  ],
  unauthorized: [
    401,
    'authentication_error',
    'You need a token: send "Authorization: Bearer <SERVICE_TOKEN>".',
  ],
  insufficient_scope: [403, 'permission_error', 'This access key is not allowed to do that.'],
  local_only: [403, 'permission_error', 'This server answers only the machine it runs on.'],
  foreign_origin: [
    403,
    'permission_error',
    'Pages of other sites are not allowed to use this server. List the trusted sites in TRUSTED_ORIGINS.',
  ],
  not_from_home: [403, 'permission_error', 'Only a device on the home network may ask to join.'],
  wrong_digits: [403, 'permission_error', "These are not the satellite's digits."],
  not_found: [404, 'invalid_request_error', 'There is nothing at this address.'],
  model_not_found: [404, 'invalid_request_error', 'The only model is "assistant".'],
  method_not_allowed: [405, 'invalid_request_error', 'This address does not accept that method.'],
  server_not_found: [
    404,
    'invalid_request_error',
    'Unknown model server. The model servers are llm, stt and tts.',
  ],
  token_exists: [
    409,
    'invalid_request_error',
    'There is already an access key with this name. Revoke it first, or choose another name.',
  ],
  too_many_tokens: [409, 'invalid_request_error', 'There are 100 access keys already. Revoke one first.'],
  device_exists: [
    409,
    'invalid_request_error',
    'There is already a voice device with this name. Choose another name.',
  ],
  too_many_devices: [409, 'invalid_request_error', 'There are 32 voice devices already. Remove one first.'],
  answer_gone: [
    409,
    'invalid_request_error',
    'This request was already sent with the same Idempotency-Key, and its answer is no longer stored. To ask again, use a new key.',
  ],
  quiet_hours: [
    409,
    'invalid_request_error',
    'Quiet hours are in effect. Send "in_quiet_hours": true to announce it anyway.',
  ],
  not_possible: [409, 'invalid_request_error', 'That cannot be done here.'],
  request_timeout: [408, 'invalid_request_error', 'The request took too long to arrive.'],
  stale: [412, 'invalid_request_error', 'The settings have changed since you read them. Read them again.'],
  too_large: [413, 'invalid_request_error', 'The request is too large.'],
  unsupported_media_type: [415, 'invalid_request_error', 'This address does not accept that content type.'],
  backup_unreadable: [422, 'invalid_request_error', 'This backup cannot be restored.'],
  home_not_connected: [
    422,
    'invalid_request_error',
    'Home Assistant cannot be used with this address and this access token.',
  ],
  idempotency_key_reused: [
    422,
    'invalid_request_error',
    'This Idempotency-Key belongs to another request. Use a new key for each.',
  ],
  upgrade_required: [426, 'invalid_request_error', 'This address is for WebSockets.'],
  headers_too_large: [431, 'invalid_request_error', 'The headers of the request are too large.'],
  too_many_wrong_tokens: [
    429,
    'rate_limit_error',
    'Too many wrong access keys from this address. Wait a minute.',
  ],
  too_many_joinings: [
    429,
    'rate_limit_error',
    'Five satellites are already asking to join. Admit or refuse them on the page first.',
  ],
  overloaded: [429, 'rate_limit_error', 'Too many questions are waiting. Try again in a few seconds.'],
  turn_cancelled: [499, 'invalid_request_error', 'The question was cancelled.'],
  internal: [500, 'server_error', 'Something went wrong inside the server. The log has the details.'],
  llm_bad_answer: [502, 'server_error', 'The language model returned an invalid answer.'],
  stt_bad_answer: [502, 'server_error', 'The speech recognition returned an invalid answer.'],
  tts_bad_answer: [502, 'server_error', 'The voice returned invalid audio.'],
  server_unreachable: [502, 'server_error', 'The model server cannot be reached.'],
  server_bad_answer: [
    502,
    'server_error',
    'The model server returned an answer that Hearth does not forward.',
  ],
  llm_unavailable: [503, 'server_error', 'The language model cannot be reached.'],
  stt_unavailable: [503, 'server_error', 'The speech recognition cannot be reached.'],
  tts_unavailable: [503, 'server_error', 'The voice cannot be reached.'],
  home_unavailable: [503, 'server_error', 'Home Assistant cannot be reached.'],
  redis_unavailable: [503, 'server_error', 'Redis, the database of this server, cannot be reached.'],
  redis_full: [503, 'server_error', 'Redis, the database of this server, is full and stores nothing new.'],
  redis_disk_full: [
    503,
    'server_error',
    'The disk is full, so Redis, the database of this server, stores nothing new.',
  ],
  redis_disk_failed: [
    503,
    'server_error',
    'Redis, the database of this server, cannot write to its disk and stores nothing new.',
  ],
  queue_timeout: [503, 'server_error', 'The server was too busy to start in time. Try again in a moment.'],
  worker_unavailable: [503, 'server_error', 'No worker is running to answer. It may be restarting.'],
  restarting: [503, 'server_error', 'The server is restarting. Try again in a few seconds.'],
  shutting_down: [503, 'server_error', 'The server is restarting. Try again in a few seconds.'],
  llm_timeout: [504, 'server_error', 'The language model took too long.'],
  stt_timeout: [504, 'server_error', 'The speech recognition took too long.'],
  tts_timeout: [504, 'server_error', 'The voice took too long.'],
  home_timeout: [504, 'server_error', 'Home Assistant took too long.'],
  server_timeout: [504, 'server_error', 'The model server took too long.'],
  turn_timeout: [504, 'server_error', 'Answering took too long.'],
  outcome_unknown: [
    504,
    'server_error',
    'The answer was lost after the request began to act. Check what it did before you send it again.',
  ],
} as const;

export type ErrorCode = keyof typeof table;
type ErrorType = (typeof table)[ErrorCode][1];

/** The error body of every response, the shape that OpenAI clients parse. */
interface ErrorBody {
  error: { message: string; type: ErrorType; code: string; param: string | null };
}

interface AppErrorOptions {
  cause?: unknown;
  /** Seconds until a retry makes sense. */
  retryAfterS?: number;
  /** The request field with the error. */
  param?: string;
  /** OpenAI's code, for clients that expect it. */
  openaiCode?: string;
}

/** A failure with a code of the table, and a sentence that the caller can act on. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterS: number | undefined;
  readonly param: string | null;
  readonly openaiCode: string | undefined;

  constructor(
    code: ErrorCode,
    message?: string,
    { cause, retryAfterS, param, openaiCode }: AppErrorOptions = {},
  ) {
    super(message ?? table[code][2], { cause });
    this.code = code;
    this.retryAfterS = retryAfterS ?? (table[code][0] === 503 || table[code][0] === 429 ? 5 : undefined);
    this.param = param ?? null;
    this.openaiCode = openaiCode;
  }

  get status(): number {
    return table[this.code][0];
  }

  /** The response body for the caller. The cause stays in the log. */
  toBody(): ErrorBody {
    return {
      error: { message: this.message, type: table[this.code][1], code: this.code, param: this.param },
    };
  }
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(table, code);
}

/**
 * Converts a thrown value to an AppError: unexpected ones become `internal`, with the original as the cause.
 */
export function toAppError(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('internal', undefined, { cause: thrown });
}
