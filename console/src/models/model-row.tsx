import type { ComponentChildren } from 'preact';
import { t } from '../language/translate.ts';
import { aboutWords, type ModelChoice } from './choosing.ts';

interface ModelRowProps {
  model: ModelChoice;
  /** Its state in one or two words. Empty: the normal state. */
  now: string;
  children: ComponentChildren;
}

/** A model or a voice: its name, size, licence and languages, and the buttons for it. */
export function ModelRow({ model, now, children }: ModelRowProps) {
  return (
    <li>
      <span class="model">
        <span>
          {model.name} {now !== '' && <span class="tag">{now}</span>}
        </span>
        <span class="quiet small">
          {aboutWords(model)}{' '}
          {model.card !== null && (
            <a href={model.card} rel="noreferrer">
              {t('Model card')}
              <span class="visually-hidden"> {t('of {name}', { name: model.name })}</span>
            </a>
          )}
        </span>
      </span>
      <span class="row">{children}</span>
    </li>
  );
}
