import '../../style/settings.css';
import { useEffect } from 'preact/hooks';
import type { House } from '../../house.ts';
import type { Field } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';
import { HearIt } from './hear-it.tsx';
import { History } from './history.tsx';
import { Routines } from './routines.tsx';
import { Setting } from './setting.tsx';
import { ThisDevice } from './this-device.tsx';
import { Tokens } from './tokens.tsx';

/** All settings of the household. The form is generated from the contract. */
export function SettingsView({ house }: { house: House }) {
  const { form } = house.settings;
  useEffect(() => {
    void form.load();
    return house.reach.again.listen(() => {
      if (form.fields.value.length === 0) void form.load();
    });
  }, [form]);
  // What stands below the form must not be pushed away by it.
  const isLoading = form.fields.value.length === 0 && !form.isMissing.value && form.trouble.value === '';
  return (
    <div class="stack">
      <h1>Settings</h1>
      <Form form={form} house={house} />
      {!isLoading && (
        <>
          <Routines house={house} />
          <History house={house} key={form.state.value.revision} />
          <Tokens house={house} />
          <ThisDevice house={house} />
        </>
      )}
    </div>
  );
}

function Form({ form, house }: { form: PipelineForm; house: House }) {
  if (form.isMissing.value) return <p class="quiet">This server’s settings cannot be changed here.</p>;
  const groups = Map.groupBy(form.fields.value, ({ group }) => group);
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      {[...groups].map(([group, fields]) => (
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
  const hasVoice = fields.some(({ key }) => key === 'voice' || key === 'speed');
  return (
    <section class="card" aria-label={name}>
      <h2>{name}</h2>
      {fields.map((field) => (
        <Setting key={field.key} field={field} form={form} />
      ))}
      {hasVoice && <HearIt house={house} form={form} />}
    </section>
  );
}

function Keep({ form }: { form: PipelineForm }) {
  const count = form.changed.value.length;
  const isIdle = count === 0 && form.trouble.value === '' && form.said.value === '';
  return (
    <div class={isIdle ? 'visually-hidden' : 'card keep'}>
      <p class="wrong" role="alert">
        {form.trouble}
      </p>
      <p role="status">{form.said.value || (count > 0 ? `${count} not kept yet.` : '')}</p>
      {count > 0 && (
        <div class="row">
          <button class="primary" type="submit" disabled={form.isBusy.value}>
            Keep
          </button>
          <button type="button" onClick={form.forgetTyped}>
            As it was
          </button>
        </div>
      )}
    </div>
  );
}
