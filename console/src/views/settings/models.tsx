import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import {
  type Choosing,
  isOrderRunning,
  type ModelChoice,
  type ModelChoices,
  useChoosing,
} from '../../models/choosing.ts';
import { ModelRow } from '../../models/model-row.tsx';
import { OrderLine } from '../../models/order-line.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Loaded } from '../../parts/resource.tsx';
import { Warnings } from '../../parts/warnings.tsx';

const kinds = [
  ['llm', () => t('Language model')],
  ['stt', () => t('Speech recognition')],
] as const;

/** Chooses the language model and the speech recognition model. */
export function Models({ house }: { house: House }) {
  const choosing = useChoosing(house);
  if (choosing.poll.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="models">
      <h2 id="models">{t('Models')}</h2>
      <Warnings house={house} named={['recognition_language', 'model_language']} />
      <p class="quiet">
        {t(
          'A larger model understands more and takes more memory and time. The old one works until the new one answers.',
        )}
      </p>
      <Loaded state={choosing.poll.state.value} what={t('models')}>
        {(choices) => <Choices choices={choices} choosing={choosing} />}
      </Loaded>
    </section>
  );
}

function Choices({ choices, choosing }: { choices: Partial<ModelChoices>; choosing: Choosing }) {
  const { possible = false, reason, models = [], order = null } = choices;
  if (!possible) return <p class="note words">{reason}</p>;
  const isBusy = isOrderRunning(order);
  return (
    <>
      <OrderLine choosing={choosing} order={order?.engine === 'tts' ? null : order} />
      {kinds.map(([kind, words]) => {
        const those = models.filter(({ engine }) => engine === kind);
        return (
          those.length > 0 && (
            <div key={kind} class="stack">
              <h3 id={`models-${kind}`}>{words()}</h3>
              <ul class="items" aria-labelledby={`models-${kind}`}>
                {those.map((model) => (
                  <ModelRow key={model.id} model={model} now={nowWords(model)}>
                    {!model.is_chosen && <Choose model={model} isBusy={isBusy} choosing={choosing} />}
                  </ModelRow>
                ))}
              </ul>
            </div>
          )
        );
      })}
    </>
  );
}

function Choose({ model, isBusy, choosing }: { model: ModelChoice; isBusy: boolean; choosing: Choosing }) {
  return (
    <ConfirmButton sure={t('Change it?')} disabled={isBusy} onConfirm={() => void choosing.order(model)}>
      {model.is_here ? t('Use it') : t('Download and use it')}
      <span class="visually-hidden"> {model.name}</span>
    </ConfirmButton>
  );
}

function nowWords({ is_chosen: isChosen, answers, is_here: isHere }: ModelChoice): string {
  if (answers) return t('works now');
  if (isChosen) return t('chosen');
  return isHere ? t('here|model') : '';
}
