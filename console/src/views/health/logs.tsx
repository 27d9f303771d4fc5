import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { CallError, sentenceOf } from '../../server/call.ts';
import { readEvents } from '../../server/event-stream.ts';
import { bodyOf } from '../../server/shapes.ts';
import { type LogRow, LogTable } from './log-table.tsx';

const maxLines = 300;
const retryDelayMs = 3_000;
/** Delay after the last typed letter before the search starts. */
const typedMs = 300;

interface Filter {
  level: string;
  process: string;
  text: string;
}

/** Shows the log lines of every process live. */
export function Logs({ house }: { house: House }) {
  const lines = useSignal<readonly LogRow[]>([]);
  const trouble = useSignal('');
  const filter = useSignal<Filter>({ level: 'info', process: '', text: '' });
  const { level, process, text } = filter.value;
  useEffect(
    () =>
      followLogs(house, filter.value, {
        onBegin: () => {
          lines.value = [];
          trouble.value = '';
        },
        onLines: (more) => {
          lines.value = [...more, ...lines.value].slice(0, maxLines);
        },
        onTrouble: (sentence) => {
          trouble.value = sentence;
        },
      }),
    [house, level, process, text],
  );
  const change = (changes: Partial<Filter>): void => {
    filter.value = { ...filter.value, ...changes };
  };

  return (
    <section class="card stack" aria-labelledby="logs">
      <h2 id="logs">{t('Logs')}</h2>
      <div class="filters">
        <div>
          <label class="small" for="log-level">
            {t('Level')}
          </label>
          <select
            id="log-level"
            value={level}
            onChange={(event) => change({ level: event.currentTarget.value })}
          >
            {['debug', 'info', 'warn', 'error'].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
        <div>
          <label class="small" for="log-process">
            {t('Process')}
          </label>
          <select
            id="log-process"
            value={process}
            onChange={(event) => change({ process: event.currentTarget.value })}
          >
            <option value="">{t('all processes')}</option>
            <option value="api">{t('the api')}</option>
            <option value="worker">{t('the workers')}</option>
          </select>
        </div>
        <div>
          <label class="small" for="log-text">
            {t('Containing')}
          </label>
          <input
            id="log-text"
            maxLength={200}
            value={text}
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        </div>
      </div>
      <p class="wrong" role="status">
        {trouble}
      </p>
      <LogTable lines={lines.value} />
    </section>
  );
}

interface FollowEvents {
  onBegin: () => void;
  /** The newest first. */
  onLines: (lines: LogRow[]) => void;
  onTrouble: (sentence: string) => void;
}

/** Follows the log until it is stopped. Reconnects if the connection breaks. */
function followLogs(house: House, filter: Filter, events: FollowEvents): () => void {
  const over = new AbortController();
  const query = new URLSearchParams({ follow: 'true', limit: '100', level: filter.level });
  if (filter.process !== '') query.set('process', filter.process);
  if (filter.text !== '') query.set('text', filter.text);
  const gathered = gather(events.onLines);

  const once = async (): Promise<void> => {
    const options = { signal: over.signal, withinMs: 0, headers: { accept: 'text/event-stream' } };
    const response = await house.caller.open(`/admin/logs?${query}`, options);
    events.onBegin();
    await readEvents(response, (name, data) => {
      if (name === 'line' && isLine(data)) gathered.add(data);
    });
  };
  /** Returns whether to continue. */
  const failed = async (error: unknown): Promise<boolean> => {
    const isAway = await house.reach.isAway(error);
    if (over.signal.aborted) return false;
    const isMissing = error instanceof CallError && error.status === 404;
    events.onTrouble(isMissing ? t('This server has no log.') : isAway ? '' : sentenceOf(error));
    return !isMissing;
  };
  const follow = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const goesOn = await once().then(() => !over.signal.aborted, failed);
    if (goesOn) timer = setTimeout(() => void follow(), retryDelayMs);
  };
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(() => void follow(), typedMs);
  const stopListening = house.reach.again.listen(() => {
    if (timer !== undefined) void follow();
  });
  return () => {
    clearTimeout(timer);
    stopListening();
    over.abort();
    gathered.stop();
  };
}

/** Batches lines, because hundreds may arrive at once. Renders at most ten times a second. */
function gather(onLines: (lines: LogRow[]) => void) {
  let waiting: LogRow[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(line: LogRow): void {
      waiting.unshift(line);
      if (waiting.length > maxLines) waiting.pop();
      timer ??= setTimeout(() => {
        timer = undefined;
        onLines(waiting);
        waiting = [];
      }, 100);
    },
    stop: () => clearTimeout(timer),
  };
}

function isLine(value: unknown): value is LogRow {
  const { id, message } = bodyOf<LogRow>(value);
  return typeof id === 'string' && typeof message === 'string';
}
