import { PassThrough } from 'node:stream';
import type { Redis } from 'ioredis';
import type { Check } from '../check/check.ts';
import { onRedis } from '../redis/redis.ts';
import type { CheckLog, CheckResult, StepResult } from '../status/check-log.ts';
import type { Call, Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

type CheckResultBody = components['schemas']['CheckResult'];

interface CheckRoutesOptions {
  redis: Redis;
  check: Pick<Check, 'run'>;
  kept: Pick<CheckLog, 'all'>;
}

/** Runs the self-check and returns the latest results. */
export function adminCheckRoutes({
  redis,
  check,
  kept,
}: CheckRoutesOptions): Pick<Handlers, 'runCheck' | 'getChecks'> {
  /** Streams each step as it ends, then the whole result. */
  const follow = ({ reply }: Call<'runCheck'>) => {
    const events = new PassThrough();
    // A caller who disconnects misses only the events. The check goes on for others and its result is stored.
    const tell = (event: string, data: unknown) => {
      if (!events.destroyed) events.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    check
      .run((step) => tell('step', stepOf(step)))
      .then(
        (result) => {
          tell('result', resultOf(result));
          events.end();
        },
        (error) => events.destroy(error),
      );
    reply.header('x-accel-buffering', 'no');
    return reply.type('text/event-stream; charset=utf-8').send(events);
  };

  return {
    async runCheck(call) {
      if (/\btext\/event-stream\b/.test(call.request.headers.accept ?? '')) return follow(call);
      return resultOf(await check.run());
    },
    getChecks: async () => ({ checks: (await onRedis(redis, () => kept.all())).map(resultOf) }),
  };
}

function resultOf({ id, startedAt, tookMs, ok, summary, steps }: CheckResult): CheckResultBody {
  const started_at = new Date(startedAt).toISOString();
  return { id, started_at, took_ms: tookMs, ok, summary, steps: steps.map(stepOf) };
}

function stepOf({
  name,
  title,
  state,
  tookMs,
  usualMs,
  message,
  advice,
}: StepResult): CheckResultBody['steps'][number] {
  return { name, title, state, took_ms: tookMs, usual_ms: usualMs, message, advice };
}
