import { pageLocale, t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { deviceZone } from '../../parts/time-zone.ts';
import { languageWords } from '../../parts/words.ts';
import { basicOf, labelIn } from '../../settings/basics.ts';
import type { Field } from '../../settings/form.ts';
import { formTextOf } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';

interface SettingProps {
  field: Field;
  form: PipelineForm;
}

const sourceWords: Record<string, () => string> = {
  set: () => t('changed'),
  environment: () => t('from the server’s environment'),
  fixed: () => t('set by the server’s environment'),
};

/** One setting: its field, its meaning, the source of its value, and the reason for the last refusal. */
export function Setting({ field, form }: SettingProps) {
  const { key } = field;
  const label = labelIn(field);
  const wrong = form.wrong.value.get(key) ?? '';
  const source = form.sourceOf(key);
  const isTyped = form.changed.value.some((each) => each.key === key);
  return (
    <div class={source === 'set' || isTyped ? 'setting changed' : 'setting'}>
      <div class="row spread">
        <span class="field">
          {field.kind === 'switch' && <Control field={field} form={form} isWrong={wrong !== ''} />}
          <label for={`setting-${key}`}>{label}</label>
        </span>
        <span class="row">
          {isTyped && <span class="tag">{t('not saved yet')}</span>}
          {!isTyped && sourceWords[source] !== undefined && (
            <span class="tag">{sourceWords[source]?.()}</span>
          )}
          {source === 'set' && (
            <button class="plain small" type="button" onClick={() => void form.reset(field)}>
              {t('Back to the default')}
              <span class="visually-hidden"> {t('of {label}', { label })}</span>
            </button>
          )}
        </span>
      </div>
      {field.kind !== 'switch' && (
        <div class="field">
          <Control field={field} form={form} isWrong={wrong !== ''} />
          {field.unit !== null && <span class="quiet">{unitWords(field.unit)}</span>}
        </div>
      )}
      <ErrorText text={wrong} id={`why-${key}`} />
      <p id={`hint-${key}`} class="quiet small">
        <Sentence text={basicOf(field)?.hint ?? field.hint} /> {defaultWords(field)}
      </p>
    </div>
  );
}

/** The descriptions of the contract have names in backticks. */
function Sentence({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

function defaultWords(field: Field): string {
  const { key, defaultValue, kind, unit } = field;
  if (kind === 'switch') return defaultValue === true ? t('Default: on.') : t('Default: off.');
  // The default is that of `HEARTH_LANGUAGE`, which the contract does not contain.
  // The default time zone is the machine's.
  if (key === 'language' || key === 'time_zone') return '';
  const text = valueWords(field, formTextOf(field, defaultValue));
  if (kind === 'words') return basicOf(field) || optionsOf[key] ? '' : t('One on each line.');
  if (text === '' || kind === 'json') return '';
  return t('Default: {value}.', { value: unit === null ? text : `${text} ${unitWords(unit)}` });
}

const units: Readonly<Record<string, () => string>> = {
  MB: () => t('MB|unit'),
  days: () => t('days|unit'),
  minutes: () => t('minutes|unit'),
  // Avoids "1 times".
  times: () => '×',
  tokens: () => t('tokens|unit'),
  turns: () => t('turns|unit'),
};

/** The unit ms is the same in each language. */
const unitWords = (unit: string): string => units[unit]?.() ?? unit;

const choiceWords: Readonly<Record<string, () => string>> = {
  quick: () => t('quick|patience'),
  normal: () => t('normal|patience'),
  patient: () => t('patient|patience'),
};

/** The text of a value that a person reads but does not edit. */
function valueWords({ kind }: Field, text: string): string {
  if (kind !== 'number' || text === '' || !Number.isFinite(Number(text)))
    return choiceWords[text]?.() ?? text;
  return Number(text).toLocaleString(pageLocale(), { useGrouping: false, maximumFractionDigits: 6 });
}

/** The choices for settings that name a voice, a model or a word of the engines. */
const optionsOf: Record<string, 'languages' | 'voices' | 'stt_models' | 'llm_models' | 'wake_words'> = {
  language: 'languages',
  voice: 'voices',
  stt_model: 'stt_models',
  llm_model: 'llm_models',
  wake_words: 'wake_words',
};

interface ControlProps extends SettingProps {
  common: { id: string; 'aria-describedby': string; 'aria-invalid': boolean };
}

function Control({ field, form, isWrong }: SettingProps & { isWrong: boolean }) {
  const { key } = field;
  const common = {
    id: `setting-${key}`,
    'aria-describedby': `why-${key} hint-${key}`,
    'aria-invalid': isWrong,
  };
  const props = { field, form, common };
  if (form.sourceOf(key) === 'fixed') return <output id={common.id}>{form.shown(field)}</output>;
  const { control } = basicOf(field) ?? {};
  if (control === 'slider') return <Slider {...props} />;
  if (control === 'zone') return <ZoneField {...props} />;
  return control === 'time' ? <Time {...props} /> : <Usual {...props} />;
}

/** A field for at most this many words is low. */
const few = 5;

/** The description of its kind. */
function Usual({ field, form, common }: ControlProps) {
  const { key, kind } = field;
  const text = form.shown(field);
  const type = typing(form, field);
  const given = form.options.value[optionsOf[key] ?? 'languages'] ?? [];
  const choices = optionsOf[key] === undefined ? field.choices : given;

  if (kind === 'switch') {
    const change = (event: { currentTarget: { checked: boolean } }) =>
      form.type(field, String(event.currentTarget.checked));
    return <input {...common} type="checkbox" checked={text === 'true'} onChange={change} />;
  }
  if (choices.length > 0 && kind === 'words')
    return <Checks field={field} form={form} common={common} choices={choices} />;
  if (choices.length > 0) return <Choice field={field} form={form} common={common} choices={choices} />;
  if (kind === 'long' || kind === 'words' || kind === 'json')
    return <Lines field={field} form={form} common={common} />;
  if (kind === 'number') {
    return (
      <input {...common} class="number" inputMode="decimal" autocomplete="off" value={text} onInput={type} />
    );
  }
  return <input {...common} class="short-text" autocomplete="off" value={text} onInput={type} />;
}

interface ChoicesProps extends ControlProps {
  choices: readonly string[];
}

/** Chooses one value. Without choices, it only shows the value. */
function Choice({ field, form, common, choices }: ChoicesProps) {
  const { key, isNullable } = field;
  const text = form.shown(field);
  const words = (choice: string) => (key === 'language' ? languageWords(choice) : choice);
  const offered = [...new Set([...(text === '' ? [] : [text]), ...choices])];
  if (!isNullable && offered.length === 1) return <output id={common.id}>{words(text)}</output>;
  return (
    <select {...common} class="short-text" value={text} onChange={typing(form, field)}>
      {isNullable && <option value="">{t('default')}</option>}
      {offered.map((choice) => (
        <option key={choice} value={choice}>
          {words(choice)}
        </option>
      ))}
    </select>
  );
}

/** Chooses several words, such as wake words. A chosen word that no longer exists can be unchecked. */
function Checks({ field, form, common, choices }: ChoicesProps) {
  const chosen = form.shown(field).split('\n').filter(Boolean);
  const toggle = (word: string, isOn: boolean): void => {
    const words = isOn ? [...chosen, word] : chosen.filter((each) => each !== word);
    form.type(field, words.join('\n'));
  };
  return (
    <fieldset class="row" id={common.id} tabIndex={-1} aria-describedby={common['aria-describedby']}>
      <legend class="visually-hidden">{labelIn(field)}</legend>
      {[...new Set([...choices, ...chosen])].map((word) => (
        <label key={word} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(word)}
            onChange={({ currentTarget }) => toggle(word, currentTarget.checked)}
          />
          {wakeWordName(word)}
        </label>
      ))}
    </fieldset>
  );
}

/** `okay_nabu` is "Okay Nabu". */
function wakeWordName(model: string): string {
  return model.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
}

function Lines({ field, form, common }: ControlProps) {
  const { kind, maxItems } = field;
  const text = form.shown(field);
  const isCode = kind === 'json';
  const isFew = kind === 'words' && maxItems !== null && maxItems <= few;
  return (
    <textarea
      {...common}
      class={isCode ? 'mono' : isFew ? 'few' : ''}
      rows={isFew ? text.split('\n').length : 3}
      spellcheck={!isCode}
      value={text}
      onInput={typing(form, field)}
    />
  );
}

function Slider({ field, form, common }: ControlProps) {
  const { minimum, maximum, unit, choices } = field;
  const text = form.shown(field);
  const isWords = choices.length > 0;
  const words = valueWords(field, text);
  const limits = isWords
    ? { min: 0, max: choices.length - 1, step: '1', value: choices.indexOf(text) }
    : { min: minimum ?? 0, max: maximum ?? 100, step: '0.1', value: text };
  return (
    <>
      <input
        {...common}
        {...limits}
        class="slider"
        type="range"
        aria-valuetext={unit === 'times' ? t('{n} times', { n: words }) : words}
        onInput={({ currentTarget: { value } }) =>
          form.type(field, isWords ? (choices[Number(value)] ?? text) : value)
        }
      />
      <output for={common.id}>{words}</output>
    </>
  );
}

function Time({ field, form, common }: ControlProps) {
  return (
    <input {...common} class="number" type="time" value={form.shown(field)} onInput={typing(form, field)} />
  );
}

/** A zone can be typed or chosen. A list of more than 400 needs a search, which a plain selection lacks. */
function ZoneField({ field, form, common }: ControlProps) {
  const shown = form.shown(field);
  const here = deviceZone();
  return (
    <div class="row">
      <input
        {...common}
        class="short-text"
        list="time-zones"
        autocomplete="off"
        spellcheck={false}
        value={shown}
        onInput={typing(form, field)}
      />
      <datalist id="time-zones">
        {[here, ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== here)].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {shown !== here && (
        <button type="button" onClick={() => form.type(field, here)}>
          {t('Use this device’s time zone')}
        </button>
      )}
    </div>
  );
}

function typing(form: PipelineForm, field: Field) {
  return (event: { currentTarget: { value: string } }): void => form.type(field, event.currentTarget.value);
}
