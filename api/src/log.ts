import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger };

interface LogOptions {
  level: string;
  process: 'api' | 'worker';
}

/** An error of Redis brings its whole command, with what that was to keep. */
const hidden = ['*.authorization', '*.token', '*.url', 'headers', '*.headers', 'err.command'];

/** One JSON line per event on stdout. Words that people said and secrets are never passed in; the paths below are a second fence. */
export function createLog(
  { level, process: name }: LogOptions,
  to: DestinationStream = pino.destination(1),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { process: name },
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
      err: (error: Error) => pino.stdSerializers.err(error),
    },
  };
  return pino(options, to);
}
