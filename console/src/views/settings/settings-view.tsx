import '../../style/settings.css';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import type { House } from '../../house.ts';
import { Warnings } from '../../parts/warnings.tsx';
import { hashOf } from '../../route.ts';
import { basicOf, grouped } from '../../settings/basics.ts';
import type { Field } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';
import { HealthView } from '../health/health-view.tsx';
import { About } from './about.tsx';
import { Backup } from './backup.tsx';
import { Devices } from './devices.tsx';
import { HearIt } from './hear-it.tsx';
import { History } from './history.tsx';
import { HomeAssistant } from './home-assistant.tsx';
import { Models } from './models.tsx';
import { OwnSentencesCard } from './own-sentences.tsx';
import { Pauses } from './pauses.tsx';
import { Routines } from './routines.tsx';
import { SayName } from './say-name.tsx';
import { Setting } from './setting.tsx';
import { VoiceDevices } from './voice-devices.tsx';
import { Voices } from './voices.tsx';
import { WakeWordModels } from './wake-words.tsx';

/** The household speaks a language that something does not know. */
const languageWarnings = ['recognition_language', 'voice_language', 'model_language'];

const pages: readonly (readonly [detail: string | null, words: string])[] = [
  [null, 'Everyday'],
  ['advanced', 'For experts'],
  ['health', 'Health'],
];

/** Settings: six cards for everybody, the others for experts, and the state of Hearth itself. */
export function SettingsView({ house, detail }: { house: House; detail: string | null }) {
  return (
    <div class="stack">
      <h1>Settings</h1>
      <nav class="subtabs" aria-label="Settings">
        {pages.map(([each, words]) => (
          <a
            key={words}
            href={each === null ? hashOf('settings') : hashOf('settings', each)}
            aria-current={each === detail ? 'page' : undefined}
          >
            {words}
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
  const fields = <Form form={form} house={house} isAdvanced={isAdvanced} />;
  return (
    <>
      {isLoading && <span class="loading" hidden />}
      {isAdvanced ? (
        <Advanced house={house}>{fields}</Advanced>
      ) : (
        <div class="cards">
          {fields}
          <Devices house={house} />
          <Backup house={house} />
          <About house={house} />
        </div>
      )}
    </>
  );
}

/** Shows the setting that was refused last, on its page of the settings, and gives it the focus. */
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

function Advanced({ house, children }: { house: House; children: ComponentChildren }) {
  return (
    <div class="stack">
      <Routines house={house} />
      <OwnSentencesCard house={house} />
      <WakeWordModels house={house} />
      <HomeAssistant house={house} />
      <VoiceDevices house={house} />
      <SayName house={house} />
      <Voices house={house} />
      <Models house={house} />
      <Pauses house={house} />
      {children}
      <History house={house} key={house.settings.form.state.value.revision} />
    </div>
  );
}

function Form({ form, house, isAdvanced }: { form: PipelineForm; house: House; isAdvanced: boolean }) {
  if (form.isMissing.value) return <p class="quiet">This server’s settings cannot be changed here.</p>;
  const { basic, advanced } = grouped(form.fields.value);
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      {(isAdvanced ? advanced : basic).map(([group, fields]) => (
        <Group key={group} name={group} fields={fields} form={form} house={house} />
      ))}
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

function unsavedWords(count: number): string {
  return count === 1 ? '1 unsaved change.' : `${count} unsaved changes.`;
}

function Keep({ form }: { form: PipelineForm }) {
  const count = form.changed.value.length;
  const isIdle = count === 0 && form.trouble.value === '' && form.said.value === '';
  return (
    <div class={isIdle ? 'visually-hidden' : 'card keep'}>
      {/* It stays in the window, so it must not scroll there. */}
      <p class="wrong words" role="alert">
        {form.trouble}
      </p>
      <p role="status">{form.said.value || (count > 0 ? unsavedWords(count) : '')}</p>
      {count > 0 && (
        <div class="row">
          <button class="primary" type="submit" disabled={form.isBusy.value}>
            Save
          </button>
          <button type="button" onClick={form.forgetTyped}>
            Discard
          </button>
        </div>
      )}
    </div>
  );
}
