import type { Field } from '../../settings/form.ts';
import { textOf } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';

interface SettingProps {
  field: Field;
  form: PipelineForm;
}

const sourceWords: Record<string, string> = { set: 'changed', environment: 'from the server’s environment' };

/** One setting: its field, its meaning, the source of its value, and the reason why the last one was refused. */
export function Setting({ field, form }: SettingProps) {
  const { key, label, hint } = field;
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
          {isTyped && <span class="tag">not kept yet</span>}
          {!isTyped && sourceWords[source] !== undefined && <span class="tag">{sourceWords[source]}</span>}
          {source === 'set' && (
            <button class="plain small" type="button" onClick={() => void form.reset(field)}>
              Back to the default<span class="visually-hidden"> of {label}</span>
            </button>
          )}
        </span>
      </div>
      {field.kind !== 'switch' && (
        <div class="field">
          <Control field={field} form={form} isWrong={wrong !== ''} />
          {field.unit !== null && <span class="quiet">{field.unit}</span>}
        </div>
      )}
      <p id={`why-${key}`} class="wrong words" role="alert">
        {wrong}
      </p>
      <p id={`hint-${key}`} class="quiet small">
        <Sentence text={hint} /> {defaultWords(field)}
      </p>
    </div>
  );
}

/** The contract writes names in backticks. */
function Sentence({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

function defaultWords(field: Field): string {
  const { defaultValue, kind, unit } = field;
  if (kind === 'switch') return `Default: ${defaultValue === true ? 'on' : 'off'}.`;
  const text = textOf(field, defaultValue);
  if (text === '' || kind === 'json' || kind === 'words') return '';
  return `Default: ${text}${unit === null ? '' : ` ${unit}`}.`;
}

/** The choices for settings that name something the engines have. */
const optionsOf: Record<string, 'languages' | 'voices' | 'stt_models' | 'llm_models'> = {
  language: 'languages',
  voice: 'voices',
  stt_model: 'stt_models',
  llm_model: 'llm_models',
};

function Control({ field, form, isWrong }: SettingProps & { isWrong: boolean }) {
  const { key, kind } = field;
  const text = form.shown(field);
  const common = {
    id: `setting-${key}`,
    'aria-describedby': `why-${key} hint-${key}`,
    'aria-invalid': isWrong,
  };
  const type = (event: { currentTarget: { value: string } }) => form.type(field, event.currentTarget.value);
  const given = form.options.value[optionsOf[key] ?? 'languages'] ?? [];
  const choices = optionsOf[key] === undefined ? field.choices : given;

  if (kind === 'switch') {
    const change = (event: { currentTarget: { checked: boolean } }) =>
      form.type(field, String(event.currentTarget.checked));
    return <input {...common} type="checkbox" checked={text === 'true'} onChange={change} />;
  }
  if (choices.length > 0) {
    return (
      <select {...common} class="short-text" value={text} onChange={type}>
        {field.isNullable && <option value="">its own</option>}
        {[...new Set([...(text === '' ? [] : [text]), ...choices])].map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  if (kind === 'long' || kind === 'words' || kind === 'json') {
    const isCode = kind === 'json';
    return (
      <textarea {...common} class={isCode ? 'mono' : ''} spellcheck={!isCode} value={text} onInput={type} />
    );
  }
  if (kind === 'number') {
    return (
      <input {...common} class="number" inputMode="decimal" autocomplete="off" value={text} onInput={type} />
    );
  }
  return <input {...common} class="short-text" autocomplete="off" value={text} onInput={type} />;
}
