import { type DestinationStream, type Logger, type LoggerOptions, pino, type SerializedError } from 'pino';

export type { Logger };

interface LogOptions {
  level: string;
  process: 'api' | 'worker' | 'announcer';
  /** Id of the process among those of the same kind. */
  instance?: string;
}

/**
 * A Redis error contains the whole command with its data. An engine error contains the reply, which may quote
 * the question.
 */
const hidden = ['*.authorization', '*.token', '*.url', 'headers', '*.headers', 'err.command', 'err.detail'];

/**
 * Logs one JSON line per event to stdout. Callers never pass people's words or secrets. The paths below are a
 * second safeguard.
 */
export function createLog(
  { level, process: name, instance }: LogOptions,
  to: DestinationStream = pino.destination(1),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { process: name, ...(instance !== undefined && { instance }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: hidden, censor: '[hidden]' },
    serializers: {
      // Logs only the path, because the query string may contain ?token=.
      req: (request) => ({
        method: request.method,
        path: String(request.url).split('?', 1)[0],
        from: request.socket?.remoteAddress,
      }),
      res: (reply) => ({ status: reply.statusCode }),
      err: (error: Error) => withoutQuotes(pino.stdSerializers.err(error)),
    },
  };
  return pino(options, to);
}

/** Node's message quotes invalid JSON, which may be someone's words. */
const quoted = /(?:"|\.{3}).*?(?="?(?:\.{3})? is not valid JSON)/gs;

function withoutQuotes(error: SerializedError): SerializedError {
  if (!(error instanceof Object) || !`${error.message}${error.stack}`.includes('is not valid JSON'))
    return error;
  const strip = (text: string) => text.replaceAll(quoted, '"...');
  return Object.assign(error, { message: strip(error.message), stack: strip(error.stack) });
}
