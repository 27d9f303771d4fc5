import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { sentenceOf } from '../../server/call.ts';
import { readField } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';

/** Speaks a sentence with the voice and speed in the form, before they are saved. */
export function HearIt({ house, form }: { house: House; form: PipelineForm }) {
  const trouble = useSignal('');
  return (
    <div class="stack setting">
      <div>
        <HearVoice house={house} wish={chosen(form)} onTrouble={trouble}>
          {t('Hear it')}
        </HearVoice>
      </div>
      <ErrorText text={trouble} />
    </div>
  );
}

interface HearVoiceProps {
  house: House;
  /** The settings in the form that differ from the saved ones. */
  wish: Record<string, unknown>;
  onTrouble: { value: string };
  children: ComponentChildren;
}

/** A button that speaks a sentence with the chosen settings. */
export function HearVoice({ house, wish, onTrouble: trouble, children }: HearVoiceProps) {
  const isBusy = useSignal(false);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const hear = async (): Promise<void> => {
    stop.current?.();
    isBusy.value = true;
    trouble.value = '';
    try {
      const response = await house.caller.open('/admin/pipeline/sample', { body: wish, withinMs: 30_000 });
      stop.current = await house.talk.playSample(await response.arrayBuffer());
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  return (
    <button type="button" disabled={isBusy.value} onClick={() => void hear()}>
      {isBusy.value ? t('One moment …') : children}
    </button>
  );
}

/** The valid values of the fields. */
function chosen(form: PipelineForm): Record<string, unknown> {
  const fields = form.fields.value.filter(({ key }) => key === 'voice' || key === 'speed');
  return Object.fromEntries(
    fields.flatMap((field) => {
      const read = readField(field, form.shown(field));
      return 'value' in read ? [[field.key, read.value]] : [];
    }),
  );
}
