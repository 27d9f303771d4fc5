import { t, tCount } from '../../language/translate.ts';
import { durationWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { medianTurn, type Segment, segmentsOf } from './segments.ts';
import { colourOf, partWords, type TurnRecord } from './waterfall.ts';

const betweenParts: ReadonlyMap<string, () => string> = new Map([
  ['silence', () => t('the silence that shows you have finished')],
  ['way', () => t('on the way between the stages')],
]);

/** Shows the parts of the median spoken turn, from the end of speech to the first sound. */
export function MedianWait({ turns }: { turns: readonly TurnRecord[] }) {
  const found = medianTurn(turns);
  if (found === null) return null;
  const segments = segmentsOf(found.turn);
  const wholeMs = segments.at(-1)?.untilMs ?? 1;
  return (
    <section class="card stack" aria-labelledby="median-wait">
      <h2 id="median-wait">{t('The usual wait for an answer')}</h2>
      <p class="quiet">
        {tCount(
          found.count,
          'The last turn that you spoke in a room, from the end of speech to the first sound: {time}.',
          'The turn in the middle of the last {n} that you spoke in a room, from the end of speech to the first sound: {time}.',
          { time: durationWords(wholeMs) },
        )}{' '}
        <a href={hashOf('activity', found.turn.id)}>{t('How it went')}</a>
      </p>
      <span class="waterfall tall" aria-hidden="true">
        {segments.map(({ who, fromMs, untilMs }) => (
          <span
            key={fromMs}
            class={`bar part-${partOf(who)}`}
            style={{
              marginLeft: `${(100 * fromMs) / wholeMs}%`,
              width: `${(100 * (untilMs - fromMs)) / wholeMs}%`,
            }}
          />
        ))}
      </span>
      <Stretches segments={segments} />
    </section>
  );
}

function Stretches({ segments }: { segments: readonly Segment[] }) {
  return (
    <div class="scroll">
      <table class="table">
        <caption class="visually-hidden">{t('Parts of the wait')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Waited for')}</th>
            <th scope="col" class="number">
              {t('From|wait')}
            </th>
            <th scope="col" class="number">
              {t('Took')}
            </th>
          </tr>
        </thead>
        <tbody>
          {segments.map(({ who, fromMs, untilMs }) => (
            <tr key={fromMs}>
              <td class="words">{wordsOf(who)}</td>
              <td class="number">{durationWords(fromMs)}</td>
              <td class="number">{durationWords(untilMs - fromMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const wordsOf = (who: string) =>
  who
    .split(' + ')
    .map((name) => betweenParts.get(name)?.() ?? partWords(name))
    .join(', ');

/** The colour of the stage that came last. */
function partOf(who: string): string {
  const name = who.split(' + ').at(-1) ?? '';
  return betweenParts.has(name) ? 'queue' : colourOf(name);
}
