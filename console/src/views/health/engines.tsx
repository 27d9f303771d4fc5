import { useSignal } from '@preact/signals';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { useResource } from '../../parts/resource.tsx';
import { bytesWords, durationWords } from '../../parts/words.ts';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';
import { engineStateOf, engineWords, type Server, serversOf, unknownEngineState } from './engine-shapes.ts';

const intervalMs = 3_000;

/** Shows the model servers, their current work, and since when they have been in their state. */
export function Engines({ house }: { house: House }) {
  const poll = useResource<{ servers: Server[] }>(house, '/admin/servers', intervalMs);
  const { value, trouble, isMissing, isAway } = poll.state.value;
  const servers =
    value === null && trouble === null
      ? []
      : serversOf(isMissing ? undefined : (value?.servers ?? undefined), house.health.state.value.value);
  const said = useSignal('');
  const command = async (name: string, what: Command): Promise<void> => {
    said.value = t('Working …');
    try {
      said.value = await ask(house, name, what);
    } catch (error) {
      said.value = sentenceOf(error);
    }
    await poll.ask();
  };
  return (
    <section aria-labelledby="engines" class="stack">
      <h2 id="engines">{t('Engines')}</h2>
      {trouble !== null && !isMissing && !isAway && (
        <p class="note ill" role="status">
          {trouble}
        </p>
      )}
      <p class="quiet" role="status">
        {said}
      </p>
      {value === null && trouble === null && <p class="quiet loading">{t('One moment …')}</p>}
      <div class="engines">
        {servers.map((server) => (
          <Engine
            key={server.name}
            server={server}
            isKnown={house.health.state.value.trouble === null && (trouble === null || isMissing)}
            onCommand={(what) => void command(server.name, what)}
          />
        ))}
      </div>
    </section>
  );
}

type Command = 'load' | 'unload' | 'restart';

/** Returns a message about the outcome. */
async function ask({ caller }: House, name: string, what: Command): Promise<string> {
  const withinMs = 130_000;
  if (what === 'restart') {
    const { body } = await caller.call('/admin/restart', { body: { what: name }, withinMs });
    return bodyOf<{ message: string }>(body).message ?? '';
  }
  await caller.call(`/admin/servers/${encodeURIComponent(name)}/${what}`, { method: 'POST', withinMs });
  return '';
}

interface EngineProps {
  server: Server;
  /** The shown state is current. */
  isKnown: boolean;
  onCommand: (what: Command) => void;
}

function Engine({ server, isKnown, onCommand }: EngineProps) {
  const { timeWords } = useHouseholdTimes();
  const { name, reason, download, last_errors = [], can } = server;
  const { mood, words } = isKnown ? engineStateOf(server) : unknownEngineState();
  const [lastError] = last_errors;
  return (
    <article class="card engine">
      <div class="row spread">
        <h3>{engineWords(name)}</h3>
        <span class={`state ${mood}`}>
          <span class="lamp" aria-hidden="true" />
          {words}
        </span>
      </div>
      {reason !== null && <p class="words">{reason}</p>}
      <Progress name={engineWords(name)} download={download} />
      <Facts server={server} />
      {lastError && (
        <p class="small quiet words">
          {t('Last error, {time}: {message}', {
            time: timeWords(lastError.at),
            message: lastError.message,
          })}
        </p>
      )}
      <div class="row">
        {server.state !== 'off' && (
          <ConfirmButton sure={t('Restart it?')} onConfirm={() => onCommand('restart')}>
            {t('Restart')}
            <span class="visually-hidden"> {t('the {engine}', { engine: engineWords(name) })}</span>
          </ConfirmButton>
        )}
        {can?.load === true && (
          <button type="button" onClick={() => onCommand('load')}>
            {t('Load')}
            <span class="visually-hidden"> {t('the {engine}', { engine: engineWords(name) })}</span>
          </button>
        )}
        {can?.unload === true && (
          <ConfirmButton sure={t('Unload it?')} onConfirm={() => onCommand('unload')}>
            {t('Unload')}
            <span class="visually-hidden"> {t('the {engine}', { engine: engineWords(name) })}</span>
          </ConfirmButton>
        )}
      </div>
    </article>
  );
}

function Progress({ name, download }: { name: string; download: Server['download'] }) {
  const { bytes_done: done = 0, bytes_total: total = 0 } = download ?? {};
  if (total === 0) return null;
  return (
    <div>
      <progress value={done} max={total} aria-label={t('Download: {name}', { name })} />
      <p class="small quiet">
        {t('{done} of {total}', { done: bytesWords(done), total: bytesWords(total) })}
      </p>
    </div>
  );
}

const machineStates: Readonly<Record<string, () => string>> = {
  ready: () => t('ready|engine'),
  off: () => t('off|engine'),
  starting: () => t('starting|engine'),
  downloading: () => t('downloading|engine'),
  loading: () => t('loading|engine'),
  failed: () => t('failed|engine'),
};

/** "desktop: ready, qwen3-8b, 41 tokens a second" */
function machineWords(
  { url, machine, state, model, pace_ms: paceMs }: NonNullable<Server['replicas']>[number],
  engine: Server['name'],
): string {
  const speed =
    engine === 'llm' && paceMs ? t('{n} tokens a second', { n: Math.round(1_000 / paceMs) }) : null;
  const facts = [machineStates[state]?.() ?? state, model, speed].filter((fact) => fact !== null);
  return `${machine ?? url}: ${facts.join(', ')}`;
}

function Facts({ server }: { server: Server }) {
  const { timeWords } = useHouseholdTimes();
  const { model, version, since, queue, latency, memory, replicas = [] } = server;
  const facts: [string, string | null][] = [
    [t('Model'), model],
    [t('Version'), version ?? null],
    [t('Since'), since === null ? null : timeWords(since)],
    [t('Memory'), memory?.resident_bytes == null ? null : bytesWords(memory.resident_bytes)],
    [t('Runs on'), memory?.device ?? null],
    [
      t('Work'),
      queue
        ? t('{running} running, {waiting} waiting', { running: queue.running, waiting: queue.waiting })
        : null,
    ],
    [
      t('Usually'),
      latency?.p50_ms == null
        ? null
        : t('{time} (last {n})', { time: durationWords(latency.p50_ms), n: latency.count }),
    ],
    [t('At worst'), latency?.p95_ms == null ? null : durationWords(latency.p95_ms)],
    [
      t('Machines'),
      replicas.length > 1 ? replicas.map((replica) => machineWords(replica, server.name)).join('\n') : null,
    ],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <>
              <dt>{name}</dt>
              <dd class="words">{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}
