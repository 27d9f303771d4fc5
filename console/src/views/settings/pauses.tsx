import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t, tCount } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { durationWords } from '../../parts/words.ts';
import { sentenceOf } from '../../server/call.ts';
import { listOf } from '../../server/shapes.ts';

type Known = components['schemas']['Pauses'];
type Satellite = Known['satellites'][number];

const intervalMs = 15_000;
/** Full width of a bar, in ms: the longest wait in an ordinary sentence. */
const widthMs = 1_500;

/** Shows the pauses that Hearth has learned at each satellite, and its waiting times. */
export function Pauses({ house }: { house: House }) {
  const poll = useResource<Known>(house, '/admin/pauses', intervalMs);
  const trouble = useSignal('');
  const forget = async (client: string): Promise<void> => {
    try {
      await house.caller.call(`/admin/pauses/${encodeURIComponent(client)}`, { method: 'DELETE' });
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    await poll.ask();
  };
  if (poll.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="pauses">
      <h2 id="pauses">{t('Pauses')}</h2>
      <p class="quiet">
        {t(
          'Hearth learns how long people at each satellite pause inside a sentence. It waits longer for people who pause, and answers other people sooner. It keeps only these numbers.',
        )}
      </p>
      <Loaded state={poll.state.value} what={t('pauses')}>
        {({ satellites, cut_offs: cutOffs, end_silence_ms: usualMs }) => (
          <>
            {cutOffs && cutOffs.answers > 0 && <p>{cutOffWords(cutOffs)}</p>}
            {listOf(satellites).length === 0 && (
              <p class="quiet">
                {t('Hearth has learned nothing yet. It starts with the second sentence at a satellite.')}
              </p>
            )}
            <ul class="items pauses">
              {listOf(satellites).map((satellite) => (
                <OneSatellite
                  key={satellite.client}
                  satellite={satellite}
                  usualMs={usualMs}
                  onForget={forget}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <ErrorText text={trouble} />
    </section>
  );
}

interface OneSatelliteProps {
  satellite: Satellite;
  usualMs: number | undefined;
  onForget: (client: string) => Promise<void>;
}

function OneSatellite({ satellite, usualMs, onForget }: OneSatelliteProps) {
  const { client, sentences, pause_ms: pauseMs, end_silence_ms: waitsMs } = satellite;
  return (
    <li class="row">
      <span class="words pauses-of">
        {client}{' '}
        <span class="quiet small">
          {pauseMs === null
            ? tCount(
                sentences,
                'too little is known after {n} sentence',
                'too little is known after {n} sentences',
              )
            : `${pausesWords(pauseMs, sentences)} ${waitsWords(waitsMs, usualMs)}`}
        </span>
        {pauseMs !== null && <Bar pauseMs={pauseMs} waitsMs={waitsMs} usualMs={usualMs} />}
      </span>
      <ConfirmButton sure={t('Forget it?')} onConfirm={() => void onForget(client)}>
        {t('Forget')}
        <span class="visually-hidden"> {t('the pauses of {client}', { client })}</span>
      </ConfirmButton>
    </li>
  );
}

function cutOffWords({ answers, cut_off: cutOff }: Known['cut_offs']): string {
  return tCount(
    answers,
    'Since Hearth started, people went on speaking within two seconds after {cut} of {n} answer began.',
    'Since Hearth started, people went on speaking within two seconds after {cut} of {n} answers began.',
    { cut: cutOff },
  );
}

function pausesWords(pauseMs: number, sentences: number): string {
  if (pauseMs === 0) return tCount(sentences, 'no pauses, in {n} sentence.', 'no pauses, in {n} sentences.');
  return tCount(
    sentences,
    'pauses of up to {pause}, in {n} sentence.',
    'pauses of up to {pause}, in {n} sentences.',
    { pause: durationWords(pauseMs) },
  );
}

function waitsWords(waitsMs: number, usualMs: number | undefined): string {
  const wait = durationWords(waitsMs);
  if (usualMs === undefined || waitsMs === usualMs) return t('Hearth waits {wait}.', { wait });
  const usual = durationWords(usualMs);
  return waitsMs > usualMs
    ? t('Hearth waits {wait}, longer than the usual {usual}.', { wait, usual })
    : t('Hearth waits {wait}, not {usual}.', { wait, usual });
}

/**
 * Draws the pauses and the wait as shares of the longest wait, with a line at the usual end. The text says
 * the same.
 */
function Bar({
  pauseMs,
  waitsMs,
  usualMs,
}: {
  pauseMs: number;
  waitsMs: number;
  usualMs: number | undefined;
}) {
  const at = (ms: number) => `${Math.min(100, (100 * ms) / widthMs)}%`;
  return (
    <span class="pause-bar" aria-hidden="true">
      <span class="waits" style={{ width: at(waitsMs) }} />
      <span class="pause" style={{ width: at(pauseMs) }} />
      {usualMs !== undefined && <span class="usual" style={{ left: at(usualMs) }} />}
    </span>
  );
}
