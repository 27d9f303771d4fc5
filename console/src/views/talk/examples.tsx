import { t } from '../../language/translate.ts';
import type { Talk } from '../../live/talk.ts';

/** One example of each kind. Only the last one needs a language model. */
const sentences: readonly (readonly [english: string, words: () => string])[] = [
  ['What can you do?', () => t('What can you do?')],
  ['What time is it?', () => t('What time is it?')],
  ['Set a timer for ten minutes', () => t('Set a timer for ten minutes')],
  ['Put milk on the shopping list', () => t('Put milk on the shopping list')],
  ['How many cups are in a litre?', () => t('How many cups are in a litre?')],
  ['What would be good for dinner tonight?', () => t('What would be good for dinner tonight?')],
];

/** Example sentences for an empty conversation. A press asks one. */
export function Examples({ talk }: { talk: Talk }) {
  return (
    <div class="empty">
      <p id="examples">{t('Say what you would like, or try one of these:')}</p>
      <ul class="row" aria-labelledby="examples">
        {sentences.map(([english, words]) => (
          <li key={english}>
            <button
              type="button"
              onClick={() => void talk.ask(words(), { isSpoken: true, otherwise: () => english })}
            >
              {words()}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
