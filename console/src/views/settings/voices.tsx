import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
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
import { useFew } from '../../parts/few.tsx';
import { Loaded } from '../../parts/resource.tsx';
import { Warnings } from '../../parts/warnings.tsx';
import { languageWords } from '../../parts/words.ts';
import { HearVoice } from './hear-it.tsx';

const fewVoices = 8;

/** Lists voices to try, choose and download. */
export function Voices({ house }: { house: House }) {
  const choosing = useChoosing(house);
  if (choosing.poll.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="voices">
      <h2 id="voices">{t('Voices')}</h2>
      <Warnings house={house} named={['voice_language']} />
      <Loaded state={choosing.poll.state.value} what={t('voices')}>
        {(choices) => <Choices house={house} choices={choices} choosing={choosing} />}
      </Loaded>
    </section>
  );
}

interface ChoicesProps {
  house: House;
  choices: Partial<ModelChoices>;
  choosing: Choosing;
}

function Choices({ house, choices, choosing }: ChoicesProps) {
  const { possible = false, reason, models = [], order = null } = choices;
  const wanted = useSignal('');
  const voices = models.filter(({ engine }) => engine === 'tts');
  const { shown, button } = useFew(sorted(voices, wanted.value), fewVoices, t('voices'));
  if (!possible) return <p class="note words">{reason}</p>;
  if (voices.length === 0) return <p class="quiet">{t('Another server provides the voice.')}</p>;
  return (
    <>
      <OrderLine choosing={choosing} order={order?.engine === 'tts' ? order : null} />
      {voices.length > fewVoices && <Find wanted={wanted} />}
      <ul class="items">
        {shown.map((voice) => (
          <ModelRow key={voice.id} model={voice} now={voice.answers ? t('speaks now') : ''}>
            <Doing house={house} voice={voice} isBusy={isOrderRunning(order)} choosing={choosing} />
          </ModelRow>
        ))}
      </ul>
      {shown.length === 0 && <p class="quiet">{t('No voice has this name.')}</p>}
      {button}
      <Published choices={choices} choosing={choosing} />
    </>
  );
}

function Find({ wanted }: { wanted: { value: string } }) {
  const id = useId();
  return (
    <div class="stack">
      <label for={id}>{t('Search for a language or a name')}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        value={wanted.value}
        onInput={(event) => {
          wanted.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}

interface DoingProps {
  house: House;
  voice: ModelChoice;
  isBusy: boolean;
  choosing: Choosing;
}

function Doing({ house, voice, isBusy, choosing }: DoingProps) {
  const { form } = house.settings;
  const name = <span class="visually-hidden"> {voice.name}</span>;
  // Right after a download, the list of the speech server is still the old one.
  const isOffered = form.options.value.voices?.includes(voice.id) ?? false;
  if (!voice.is_here)
    return (
      <button type="button" disabled={isBusy} onClick={() => void choosing.order(voice)}>
        {t('Download')}
        {name}
      </button>
    );
  const speakWith = async (): Promise<void> => {
    const how = { method: 'PATCH', body: { voice: voice.id } };
    if (await choosing.change('/admin/pipeline', how)) await form.load();
  };
  return (
    <>
      <HearVoice house={house} wish={{ voice: voice.id }} onTrouble={choosing.trouble}>
        {t('Hear it')}
        {name}
      </HearVoice>
      {!voice.answers && (
        <button type="button" disabled={!isOffered && isBusy} onClick={() => void speakWith()}>
          {t('Use this voice')}
          {name}
        </button>
      )}
    </>
  );
}

function Published({ choices, choosing }: Omit<ChoicesProps, 'house'>) {
  const { published_voices: { state, reason } = { state: 'unknown', reason: null } } = choices;
  if (state === 'listed') return null;
  return (
    <div class="stack">
      <p class="quiet small">
        {t(
          'Piper’s makers publish more than a hundred voices in many languages. Their list and the voices come from Hugging Face; nothing is asked there before you press. Each is checked by the hash in that list.',
        )}
      </p>
      {state === 'unreachable' && <p class="note words">{reason}</p>}
      <div>
        <button type="button" disabled={state === 'asking'} onClick={() => void choosing.findVoices()}>
          {state === 'asking' ? t('Asking for the list …') : t('Show all of Piper’s voices')}
        </button>
      </div>
    </div>
  );
}

/** Installed voices first, then other voices whose name or language matches the search. */
function sorted(voices: readonly ModelChoice[], wanted: string): readonly ModelChoice[] {
  const words = wanted.trim().toLowerCase();
  const texts = ({ id, name, languages }: ModelChoice) =>
    [id, name, ...languages.map(languageWords)].join(' ').toLowerCase();
  const found = voices.filter((voice) => texts(voice).includes(words));
  return found.toSorted((a, b) => Number(b.is_here) - Number(a.is_here));
}
