import { type DestinationStream, type Logger, type LoggerOptions, pino, type SerializedError } from 'pino';

export type { Logger };

interface LogOptions {
  level: string;
  process: 'api' | 'worker' | 'announcer';
  /** Tells apart several processes of one kind. */
  instance?: string;
}

/** An error of Redis holds the whole command with its data, and one of an engine the engine's reply, which may quote the question. */
const hidden = ['*.authorization', '*.token', '*.url', 'headers', '*.headers', 'err.command', 'err.detail'];

/** One JSON line per event on stdout. Words that people said and secrets are never passed in; the paths below are a second fence. */
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
      // The query string may hold ?token=, so only the path is logged.
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

/** Node's own message quotes text that is not JSON, which may be somebody's words. */
const quoted = /(?:"|\.{3}).*?(?="?(?:\.{3})? is not valid JSON)/gs;

function withoutQuotes(error: SerializedError): SerializedError {
  if (!(error instanceof Object) || !`${error.message}${error.stack}`.includes('is not valid JSON'))
    return error;
  const strip = (text: string) => text.replaceAll(quoted, '"...');
  return Object.assign(error, { message: strip(error.message), stack: strip(error.stack) });
}
