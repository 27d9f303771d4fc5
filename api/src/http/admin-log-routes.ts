import { AppError } from '../errors.ts';
import { createLogFilter, type LogFilter } from '../logs/log-filter.ts';
import type { LogReader } from '../logs/log-reader.ts';
import type { LogTail } from '../logs/log-tail.ts';
import type { Call, Handlers } from './contract-routes.ts';
import { createLogEvents } from './log-stream.ts';
import { timeOf } from './time-param.ts';

const usualLimit = 200;
const maxFollowers = 32;

interface LogRoutesOptions {
  reader: LogReader;
  tail: LogTail;
}

type LogCall = Call<'getLogs'>;

const eventStream = 'text/event-stream; charset=utf-8';

/** Returns the latest log lines of all processes and streams new ones. */
export function adminLogRoutes({ reader, tail }: LogRoutesOptions): Pick<Handlers, 'getLogs'> {
  const follow = async (filter: LogFilter, { query, request, reply }: LogCall) => {
    // Without a body to read, a streamed response to HEAD would never end.
    if (request.method === 'HEAD') return reply.type(eventStream).send('');
    if (tail.followers >= maxFollowers)
      throw new AppError(
        'overloaded',
        'Too many people are following the log right now. Close one of these connections.',
      );
    let leave = (): void => undefined;
    const events = createLogEvents({ onClose: () => leave() });
    const isWanted = createLogFilter(filter);
    const sent = new Set<string>();
    let backlog: (readonly LogLineTold[])[] | null = [];
    const tell = (lines: readonly LogLineTold[]): void => {
      for (const line of lines) if (!sent.has(line.id) && isWanted(line)) events.tell(line);
    };
    try {
      leave = await tail.follow({
        onLines: (lines) => (backlog ? backlog.push(lines) : tell(lines)),
        onEnd: events.end,
      });
      // Lines that arrive while past lines are read are sent after them.
      const past = await reader.find(filter, query.limit ?? usualLimit);
      for (const line of past) {
        events.tell(line);
        sent.add(line.id);
      }
    } catch (error) {
      events.readable.destroy();
      throw error;
    }
    const waiting = backlog;
    backlog = null;
    for (const lines of waiting) tell(lines);
    // Stops a buffering proxy from holding back live events.
    reply.header('x-accel-buffering', 'no');
    return reply.type(eventStream).send(events.readable);
  };

  return {
    async getLogs(call) {
      const filter = filterOf(call);
      if (call.query.follow === true) return follow(filter, call);
      return { lines: await reader.find(filter, call.query.limit ?? usualLimit) };
    },
  };
}

type LogLineTold = Awaited<ReturnType<LogReader['find']>>[number];

function filterOf({ query }: LogCall): LogFilter {
  const { level, process, turn, since, until, text } = query;
  return {
    level,
    process,
    turn,
    text,
    sinceMs: since === undefined ? undefined : timeOf(since, 'since'),
    untilMs: until === undefined ? undefined : timeOf(until, 'until'),
  };
}
