import { useSignal } from '@preact/signals';
import { t } from '../../language/translate.ts';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { durationWords, outcomeWords, viaWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { partWords, type TurnRecord, waterfallOf } from './waterfall.ts';

/** Number of turns that fit on a screen. The rest is shown on demand. */
const fewTurns = 10;

/** The last turns, newest first, each with the time of its parts. */
export function TurnList({ turns }: { turns: readonly TurnRecord[] }) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? turns : turns.slice(0, fewTurns);
  return (
    <section class="card" aria-labelledby="last-turns">
      <div class="row spread">
        <h2 id="last-turns">{t('The last turns')}</h2>
        <Legend />
      </div>
      {turns.length === 0 && <p class="quiet">{t('Nothing has been asked yet.')}</p>}
      <ul>
        {shown.map((turn) => (
          <li key={turn.id}>
            <Row turn={turn} />
          </li>
        ))}
      </ul>
      {shown.length < turns.length && (
        <button class="plain" type="button" onClick={() => (isWhole.value = true)}>
          {t('Show {n} more', { n: turns.length - shown.length })}
        </button>
      )}
    </section>
  );
}

function Row({ turn }: { turn: TurnRecord }) {
  const { timeWords } = useHouseholdTimes();
  const { id, created_at, room, via, outcome, timings } = turn;
  const took = timings['first-audio'] ?? timings['total'];
  return (
    <a class="turn-row" href={hashOf('activity', id)}>
      <span class="row">
        <span>{timeWords(created_at)}</span>
        {room !== null && <span class="tag">{room}</span>}
        {outcome === 'done' ? (
          <span class="quiet small">{viaWords(via ?? '')}</span>
        ) : (
          <span class="tag ill">{outcomeWords(outcome)}</span>
        )}
        {took !== undefined && <span class="took">{durationWords(took)}</span>}
      </span>
      <Bars turn={turn} />
    </a>
  );
}

export function Bars({ turn, isTall = false }: { turn: Partial<TurnRecord>; isTall?: boolean }) {
  const { bars, marks } = waterfallOf(turn);
  if (bars.length === 0) return null;
  return (
    <span class={isTall ? 'waterfall tall' : 'waterfall'} aria-hidden="true">
      {bars.map(({ name, part, left, width }, index) => (
        <span
          key={`${name}-${index}`}
          class={`bar part-${part}`}
          style={{ marginLeft: `${left}%`, width: `${width}%` }}
        />
      ))}
      {isTall &&
        marks.map(({ words, left }) => <span key={words} class="mark" style={{ left: `${left}%` }} />)}
    </span>
  );
}

function Legend() {
  return (
    <ul class="legend" aria-hidden="true">
      {['stt', 'skills', 'llm', 'tts'].map((part) => (
        <li key={part}>
          <i class={`part-${part}`} />
          {partWords(part)}
        </li>
      ))}
    </ul>
  );
}
