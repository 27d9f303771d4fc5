import { t, tCount } from '../../language/translate.ts';
import '../../style/settings.css';
import { useSignal } from '@preact/signals';
import { type ComponentType, Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import type { House } from '../../house.ts';
import { languageWarnings } from '../../parts/health.ts';
import { Warnings } from '../../parts/warnings.tsx';
import { hashOf } from '../../route.ts';
import { basicOf, grouped, isFoundBy } from '../../settings/basics.ts';
import type { Field } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';
import { HealthView } from '../health/health-view.tsx';
import { About } from './about.tsx';
import { Backup } from './backup.tsx';
import { Devices } from './devices.tsx';
import { HearIt } from './hear-it.tsx';
import { History } from './history.tsx';
import { HomeAssistant } from './home-assistant.tsx';
import { LanguageChange, ZoneChange } from './language-change.tsx';
import { Machines } from './machines.tsx';
import { Models } from './models.tsx';
import { OwnSentencesCard } from './own-sentences.tsx';
import { Pauses } from './pauses.tsx';
import { Routines } from './routines.tsx';
import { SayName } from './say-name.tsx';
import { Setting } from './setting.tsx';
import { VoiceDevices } from './voice-devices.tsx';
import { Voices } from './voices.tsx';
import { WakeWordModels } from './wake-words.tsx';

const pages: readonly (readonly [detail: string | null, words: () => string])[] = [
  [null, () => t('Everyday')],
  ['advanced', () => t('For experts')],
  ['health', () => t('Health')],
];

/** Shows the settings: six cards for everybody, the others for experts, and the state of Hearth. */
export function SettingsView({ house, detail }: { house: House; detail: string | null }) {
  return (
    <div class="stack">
      <h1>{t('Settings')}</h1>
      <nav class="subtabs" aria-label={t('Settings')}>
        {pages.map(([each, words]) => (
          <a
            key={each ?? ''}
            href={each === null ? hashOf('settings') : hashOf('settings', each)}
            aria-current={each === detail ? 'page' : undefined}
          >
            {words()}
          </a>
        ))}
      </nav>
      {detail === 'health' ? (
        <HealthView house={house} />
      ) : (
        <Choices key={detail} house={house} isAdvanced={detail === 'advanced'} />
      )}
    </div>
  );
}

/** The form is generated from the contract. */
function Choices({ house, isAdvanced }: { house: House; isAdvanced: boolean }) {
  const { form } = house.settings;
  useEffect(() => {
    void form.load();
    return house.reach.again.listen(() => {
      if (form.fields.value.length === 0) void form.load();
    });
  }, [form]);
  useRefused(form, isAdvanced);
  const isLoading = form.fields.value.length === 0 && !form.isMissing.value && form.trouble.value === '';
  return (
    <>
      {isLoading && <span class="loading" hidden />}
      {isAdvanced ? (
        <Advanced house={house} form={form} />
      ) : (
        <div class="cards">
          <Form form={form} house={house} groups={grouped(form.fields.value).basic} />
          <div class="stack">
            <Devices house={house} />
            <Backup house={house} />
            <About house={house} />
          </div>
        </div>
      )}
    </>
  );
}

/** Opens the page of the setting that was refused last, and focuses it. */
function useRefused({ refused, fields }: PipelineForm, isAdvanced: boolean): void {
  const key = refused.value;
  useEffect(() => {
    if (key === null) return undefined;
    const belongsHere = (basicOf({ key }) === undefined) === isAdvanced;
    if (!belongsHere) location.hash = isAdvanced ? hashOf('settings') : hashOf('settings', 'advanced');
    const field = belongsHere ? document.getElementById(`setting-${key}`) : null;
    if (field === null) return undefined;
    // After a change of the address, the browser itself moves the focus first.
    const timer = setTimeout(() => {
      refused.value = null;
      field.scrollIntoView({ block: 'center' });
      field.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [key, fields.value, isAdvanced]);
}

/** The cards of experts above their settings. */
const expertCards: readonly (readonly [title: () => string, Card: ComponentType<{ house: House }>])[] = [
  [() => t('Routines'), Routines],
  [() => t('Own sentences'), OwnSentencesCard],
  [() => t('Wake words'), WakeWordModels],
  [() => 'Home Assistant', HomeAssistant],
  [() => t('Voice devices'), VoiceDevices],
  [() => t('Say its name'), SayName],
  [() => t('Voices'), Voices],
  [() => t('Models'), Models],
  [() => t('Second machine'), Machines],
  [() => t('Pauses'), Pauses],
];

function Advanced({ house, form }: { house: House; form: PipelineForm }) {
  const text = useSignal('');
  const wanted = text.value.trim().toLowerCase();
  const cards = expertCards.filter(([title]) => title().toLowerCase().includes(wanted));
  // Keeps an invalid or unsaved setting visible.
  const isKept = ({ key }: Field) =>
    key === form.refused.value || form.changed.value.some((each) => each.key === key);
  const groups = grouped(form.fields.value.filter((field) => isFoundBy(wanted, field) || isKept(field)));
  return (
    <div class="stack">
      <input
        class="search"
        type="search"
        aria-label={t('Search settings')}
        placeholder={t('Search settings')}
        maxLength={100}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      {cards.map(([title, Card]) => (
        <Card key={title()} house={house} />
      ))}
      <Form form={form} house={house} groups={groups.advanced} />
      {cards.length === 0 && groups.advanced.length === 0 && <p class="quiet">{t('Nothing was found.')}</p>}
      {wanted === '' && <History house={house} key={form.state.value.revision} />}
    </div>
  );
}

interface FormProps {
  form: PipelineForm;
  house: House;
  groups: ReturnType<typeof grouped>['advanced'];
}

function Form({ form, house, groups }: FormProps) {
  if (form.isMissing.value) return <p class="quiet">{t('This server’s settings cannot be changed here.')}</p>;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      <div class="stack">
        {groups.map(([group, fields]) => (
          <Group key={group} name={group} fields={fields} form={form} house={house} />
        ))}
      </div>
      <Keep form={form} />
    </form>
  );
}

interface GroupProps {
  name: string;
  fields: readonly Field[];
  form: PipelineForm;
  house: House;
}

function Group({ name, fields, form, house }: GroupProps) {
  return (
    <section class="card" aria-label={name}>
      <h2>{name}</h2>
      {fields.map((field) => (
        <Fragment key={field.key}>
          <Setting field={field} form={form} />
          {field.key === 'language' && <LanguageChange house={house} form={form} field={field} />}
          {field.key === 'time_zone' && <ZoneChange house={house} />}
          {field.key === 'voice' && (
            <>
              <Warnings house={house} named={languageWarnings} />
              <HearIt house={house} form={form} />
            </>
          )}
        </Fragment>
      ))}
    </section>
  );
}

const unsavedWords = (count: number): string => tCount(count, '{n} unsaved change.', '{n} unsaved changes.');

function Keep({ form }: { form: PipelineForm }) {
  const count = form.changed.value.length;
  const isIdle = count === 0 && form.trouble.value === '' && form.said.value === '';
  return (
    <div class={isIdle ? 'visually-hidden' : 'card keep'} tabIndex={-1}>
      {/* It stays in the window, so it must not scroll there. */}
      <p class="wrong words" role="alert">
        {form.trouble}
      </p>
      <p role="status">{form.said.value || (count > 0 ? unsavedWords(count) : '')}</p>
      {count > 0 && (
        <div class="row">
          <button class="primary" type="submit" disabled={form.isBusy.value}>
            {t('Save')}
          </button>
          <button type="button" onClick={form.forgetTyped}>
            {t('Discard')}
          </button>
        </div>
      )}
    </div>
  );
}
