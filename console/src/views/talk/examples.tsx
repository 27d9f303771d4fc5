import type { Talk } from '../../live/talk.ts';

/** One example of each kind. Only the last one needs a language model. */
const sentences = [
  'What can you do?',
  'What time is it?',
  'Set a timer for ten minutes',
  'Put milk on the shopping list',
  'How many cups are in a litre?',
  'What would be good for dinner tonight?',
] as const;

/** Example sentences for an empty conversation. A press asks one. */
export function Examples({ talk }: { talk: Talk }) {
  return (
    <div class="empty">
      <p id="examples">Say what you would like, or try one of these:</p>
      <ul class="row" aria-labelledby="examples">
        {sentences.map((sentence) => (
          <li key={sentence}>
            <button type="button" onClick={() => void talk.ask(sentence, { isSpoken: true })}>
              {sentence}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
