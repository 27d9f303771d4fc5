import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { pageLanguage, pageLocale, t } from '../../language/translate.ts';
import { durationWords } from '../../parts/words.ts';
import type { ChartPoints } from './day-points.ts';

const heightPx = 190;

/** A chart of the day with two lines. The table below it has the same figures. */
export function Chart({ points }: { points: ChartPoints }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const at = place.current;
    if (!at) return undefined;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsFor(at), dataOf(points), at);
    };
    draw();
    const watch = new ResizeObserver(() =>
      plot.current?.setSize({ width: at.clientWidth, height: heightPx }),
    );
    watch.observe(at);
    // A canvas does not follow the colour scheme, so redraw it.
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      watch.disconnect();
      scheme.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => plot.current?.setData(dataOf(points)), [points]);
  return (
    <div
      class="chart"
      ref={place}
      role="img"
      aria-label={t('How long it took, hour by hour. The table has the figures.')}
    />
  );
}

function dataOf({ atS, p50, p95 }: ChartPoints): uPlot.AlignedData {
  return [atS, p50, p95];
}

/** The chart's own hours are English. */
function hoursOfPage(): uPlot.Axis {
  if (pageLanguage() === 'en') return {};
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  return {
    values: (_plot, marks) => marks.map((s) => new Date(s * 1_000).toLocaleTimeString(pageLocale(), time)),
  };
}

function optionsFor(at: HTMLElement): uPlot.Options {
  const style = getComputedStyle(at);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const line = (label: string, stroke: string): uPlot.Series => ({
    label,
    stroke,
    width: 2,
    points: { show: true, size: 6, fill: stroke },
    value: (_plot, ms) => (ms === null ? '' : durationWords(ms)),
  });
  return {
    width: at.clientWidth,
    height: heightPx,
    cursor: { drag: { x: false, y: false } },
    legend: { show: false },
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(100, high * 1.1)] } },
    axes: [
      { ...axis, ...hoursOfPage() },
      { ...axis, size: 64, values: (_plot, marks) => marks.map((ms) => durationWords(ms)) },
    ],
    series: [{}, line(t('Usually|table'), colour('--one')), line(t('19 of 20'), colour('--two'))],
  };
}
