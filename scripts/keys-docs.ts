import { keys } from '../api/src/redis/keys.ts';
import { markdownTable, writtenPart } from './written-part.ts';

/** The table of Redis keys, for docs/architecture.md. */
export const keysPart = writtenPart({
  page: 'architecture.md',
  from: 'api/src/redis/keys.ts',
  text: () =>
    markdownTable(
      ['key', 'what', 'how long', 'in a backup'],
      Object.values(keys).map(({ pattern, what, lasts, isKept }) => [
        `\`${pattern}\``,
        what,
        lasts,
        isKept ? 'yes' : '',
      ]),
    ),
});
