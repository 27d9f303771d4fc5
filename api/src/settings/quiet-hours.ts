import type { Pipeline } from './pipeline.ts';

interface QuietHoursOptions {
  timeZone: string;
  settings: () => Pick<Pipeline, 'quiet_from' | 'quiet_to'>;
  now?: () => number;
}

/** Returns whether quiet hours are in effect. They may span midnight. Equal times mean none. */
export function createQuietHours({ timeZone, settings, now = Date.now }: QuietHoursOptions): () => boolean {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

  return () => {
    const { quiet_from: from, quiet_to: to } = settings();
    if (from === null || to === null) return false;
    const time = clock.format(now());
    return from < to ? from <= time && time < to : from !== to && (from <= time || time < to);
  };
}
