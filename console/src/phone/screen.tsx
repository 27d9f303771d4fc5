import type { Step } from './steps.ts';

const width = 220;
const rowHeight = 30;
const top = 50;

/** A simple drawing of the screen for a step, with the entry to tap. The words of the step say the same. */
export function Screen({ title, rows, tap }: Step['screen']) {
  const height = top + rows.length * rowHeight + 14;
  const [first, second] = lines(title);
  return (
    <svg class="screen" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      <rect class="glass" x="1" y="1" width={width - 2} height={height - 2} rx="14" />
      <text class="title" x="14" y={second === undefined ? 30 : 23}>
        {first}
      </text>
      {second !== undefined && (
        <text class="title" x="14" y="38">
          {second}
        </text>
      )}
      {rows.map((row, at) => (
        <g key={row} class={at === tap ? 'tap' : undefined}>
          <rect x="9" y={top + at * rowHeight} width={width - 18} height={rowHeight - 4} rx="8" />
          <text x="18" y={top + at * rowHeight + 17}>
            {row}
          </text>
          {at === tap && <circle cx={width - 24} cy={top + at * rowHeight + 13} r="8" />}
        </g>
      ))}
    </svg>
  );
}

const maxLetters = 34;

/** At most two lines, broken between words. */
function lines(title: string): [string, string?] {
  if (title.length <= maxLetters) return [title];
  const at = title.lastIndexOf(' ', maxLetters);
  return [title.slice(0, at), title.slice(at + 1)];
}
