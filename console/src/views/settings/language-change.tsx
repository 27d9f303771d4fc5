import type { House } from '../../house.ts';
import { t, tRich } from '../../language/translate.ts';
import { useChoosing } from '../../models/choosing.ts';
import { languageNeeds } from '../../models/language-needs.ts';
import { RestartNote } from '../../parts/restart-note.tsx';
import { languageWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { listOf } from '../../server/shapes.ts';
import type { Field } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';

interface LanguageChangeProps {
  house: House;
  form: PipelineForm;
  field: Field;
}

/** Below the language: a new one’s needs before it is saved, and the restart after that. */
export function LanguageChange({ house, form, field }: LanguageChangeProps) {
  const isNew = form.changed.value.some(({ key }) => key === field.key);
  if (isNew) return <Needs house={house} tag={form.shown(field)} />;
  return <RestartFor house={house} named="language" />;
}

/** Below the time zone: the restart that a new one needs. */
export function ZoneChange({ house }: { house: House }) {
  return <RestartFor house={house} named="time_zone" />;
}

/** Offers a restart while the server warns that it needs one for this setting. */
function RestartFor({ house, named }: { house: House; named: 'language' | 'time_zone' }) {
  const warning = listOf(house.health.state.value.value?.warnings).find(({ name }) => name === named);
  return warning === undefined ? null : <RestartNote house={house}>{warning.message}</RestartNote>;
}

function Needs({ house, tag }: { house: House; tag: string }) {
  const { poll } = useChoosing(house);
  const { possible = false, models = [] } = poll.state.value.value ?? {};
  const needs = possible ? languageNeeds(models, tag) : [];
  return (
    <div class="note stack" role="status">
      <p>
        {t('Hearth speaks {language} after you save this and restart it.', { language: languageWords(tag) })}{' '}
        {t('This page stays English.')}
      </p>
      {needs.map((sentence) => (
        <p key={sentence} class="words">
          {sentence}
        </p>
      ))}
      {needs.length > 0 && (
        <p>
          {tRich('Download them under {link}.', {
            link: <a href={hashOf('settings', 'advanced')}>{t('Voices and Models')}</a>,
          })}
        </p>
      )}
    </div>
  );
}
