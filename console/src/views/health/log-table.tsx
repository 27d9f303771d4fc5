import type { components } from '../../../../api/src/http/contract-types.ts';
import { t } from '../../language/translate.ts';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { hashOf } from '../../route.ts';

export type LogRow = components['schemas']['LogLine'];
export interface LogLines {
  lines: LogRow[];
}

/** The fields that every line has, and those shown elsewhere in its row. */
const plain = new Set(['id', 'at', 'level', 'process', 'instance', 'message', 'turn']);
const maxCharacters = 600;

/** Log lines as plain text, whatever they contain. */
export function LogTable({ lines }: { lines: readonly LogRow[] }) {
  const { timeWords } = useHouseholdTimes();
  if (lines.length === 0) return <p class="quiet">{t('No lines.')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="lines" tabIndex={0} aria-label={t('Log lines')}>
      <table class="table">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t('Time')}</th>
            <th scope="col">{t('Level')}</th>
            <th scope="col">{t('Process')}</th>
            <th scope="col">{t('Message')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id} data-level={line.level}>
              <td class="quiet when">{timeWords(line.at)}</td>
              <td class="level">{line.level}</td>
              <td class="quiet">{line.process}</td>
              <td class="message">
                {line.message} <span class="quiet mono">{restOf(line)}</span>{' '}
                {typeof line.turn === 'string' && <a href={hashOf('activity', line.turn)}>{t('turn|log')}</a>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function restOf(line: LogRow): string {
  const rest = Object.entries(line).filter(([name]) => !plain.has(name));
  const text = rest
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)} …` : text;
}
