import { z } from 'zod';
import { createClock } from '../../language/calendar/time-zones.ts';
import { replyOf, type Skill } from '../core/skill.ts';
import { defineTool, type Tool } from './tool.ts';

interface ClockToolsOptions {
  /** The clock skill, which answers as it always does. */
  clock: Pick<Skill, 'intents'>;
  timeZone: string;
}

export function createClockTools({ clock, timeZone }: ClockToolsOptions): Tool[] {
  const read = createClock();

  return [
    defineTool({
      name: 'get_time',
      description: 'Tell the time and the date.',
      effect: 'read',
      args: z.object({}),
      async run(_args, ask) {
        const { year, month, day, hour, minute } = read(ask.turn.createdAt, timeZone);
        const result = {
          time: `${two(hour)}:${two(minute)}`,
          date: `${year}-${two(month)}-${two(day)}`,
        };
        return { state: 'done', result, said: (await replyOf(clock, 'time', ask)) ?? '' };
      },
    }),
  ];
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
