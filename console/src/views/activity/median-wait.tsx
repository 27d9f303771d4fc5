import { durationWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { medianTurn, type Segment, segmentsOf } from './segments.ts';
import { partWords, type TurnRecord } from './waterfall.ts';

const whoWords: Record<string, string> = {
  silence: 'the silence that shows you have finished',
  way: 'on the way between the stages',
};

/** Shows the parts of the median spoken turn, from the end of speech to the first sound. */
export function MedianWait({ turns }: { turns: readonly TurnRecord[] }) {
  const found = medianTurn(turns);
  if (found === null) return null;
  const segments = segmentsOf(found.turn);
  const wholeMs = segments.at(-1)?.untilMs ?? 1;
  return (
    <section class="card stack" aria-labelledby="median-wait">
      <h2 id="median-wait">The usual wait for an answer</h2>
      <p class="quiet">
        {found.count === 1 ? 'The last turn' : `The turn in the middle of the last ${found.count}`} that you
        spoke in a room, from the end of speech to the first sound: {durationWords(wholeMs)}.{' '}
        <a href={hashOf('activity', found.turn.id)}>How it went</a>
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
        <caption class="visually-hidden">Parts of the wait</caption>
        <thead>
          <tr>
            <th scope="col">Waited for</th>
            <th scope="col" class="number">
              From
            </th>
            <th scope="col" class="number">
              Took
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
    .map((name) => whoWords[name] ?? partWords[name] ?? name)
    .join(', ');

/** The colour of the stage that came last. */
function partOf(who: string): string {
  const name = who.split(' + ').at(-1) ?? '';
  if (name in whoWords) return 'queue';
  return name in partWords ? name : 'tool';
}
