import '../../style/talk.css';
import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { hashOf } from '../../route.ts';

type Sentences = components['schemas']['Sentences'];
type Group = Sentences['groups'][number];

const slowIntervalMs = 60_000;

/** Lists example sentences from the server. A press asks one. */
export function SayableView({ house }: { house: House }) {
  const { state } = useResource<Sentences>(house, '/sentences', slowIntervalMs);
  const wanted = useSignal('');
  const ask = (sentence: string): void => {
    void house.talk.ask(sentence, { isSpoken: true });
    location.hash = hashOf('talk');
  };
  return (
    <div class="stack">
      <p>
        <a href={hashOf('talk')}>{t('Talk')}</a>
      </p>
      <h1>{t('What can I say?')}</h1>
      <p class="quiet">
        {t(
          'Say it in your own words; these are only examples. The language model answers everything else. Press a sentence to try it.',
        )}
      </p>
      <input
        type="search"
        aria-label={t('Search the sentences')}
        placeholder={t('Search')}
        maxLength={100}
        value={wanted.value}
        onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
      />
      <section class="stack sayable" aria-label={t('Sentences')}>
        <Loaded state={state.value} what={t('what can be said')}>
          {({ groups = [] }) => <Groups groups={matching(groups, wanted.value)} onAsk={ask} />}
        </Loaded>
      </section>
    </div>
  );
}

function Groups({ groups, onAsk }: { groups: readonly Group[]; onAsk: (sentence: string) => void }) {
  if (groups.length === 0)
    return <p class="quiet">{t('No example has these words. You can still try them.')}</p>;
  return (
    <>
      {groups.map(({ title, sentences }) => (
        <div key={title} class="card">
          <h2>{title}</h2>
          <ul>
            {sentences.map((sentence) => (
              <li key={sentence}>
                <button class="plain" type="button" onClick={() => onAsk(sentence)}>
                  {sentence}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

/** The sentences that contain all of these words, and whole groups if their title does. */
function matching(groups: readonly Group[], wanted: string): Group[] {
  const words = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  return groups
    .map((group) => (has(group.title) ? group : { ...group, sentences: group.sentences.filter(has) }))
    .filter(({ sentences }) => sentences.length > 0);
}
