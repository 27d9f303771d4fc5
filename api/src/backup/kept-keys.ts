import { queues } from '../jobs/queues.ts';

/** What belongs to one moment, to one process, or only tells how things went. Everything else is what a household would miss. */
const passing = [
  ...['turn', 'sound', 'sentence', 'heard', 'acted', 'asked', 'llm-slots', 'telling-of', 'restart'],
  ...[
    'calls',
    'call-errors',
    'check',
    'checks',
    'check-night',
    'check-trial',
    'logs',
    'turns',
    'turn-counts',
  ],
  ...['turn-times', 'waiting-turns', 'connected-satellites', ...Object.keys(queues)],
];

/** The settings of a revision that some turn still sees. */
const oldSettings = /^hearth:pipeline:\d+$/;

/** Whether a key of Redis is part of a backup. What nobody has thought of is. */
export function isKept(key: string): boolean {
  const [prefix, kind = ''] = key.split(':', 2);
  return prefix === 'hearth' && !passing.includes(kind) && !oldSettings.test(key);
}
