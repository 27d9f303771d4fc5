import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { House } from '../../house.ts';
import { sentenceOf } from '../../server/call.ts';
import { readField } from '../../settings/form.ts';
import type { PipelineForm } from '../../settings/pipeline.ts';

/** Speaks a sentence with the form's voice and speed before they are saved. */
export function HearIt({ house, form }: { house: House; form: PipelineForm }) {
  const trouble = useSignal('');
  const isBusy = useSignal(false);
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const hear = async (): Promise<void> => {
    stop.current?.();
    isBusy.value = true;
    trouble.value = '';
    try {
      const response = await house.caller.open('/admin/pipeline/sample', {
        body: chosen(form),
        withinMs: 30_000,
      });
      stop.current = await house.talk.playSample(await response.arrayBuffer());
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  return (
    <div class="stack setting">
      <div>
        <button type="button" disabled={isBusy.value} onClick={() => void hear()}>
          {isBusy.value ? 'One moment …' : 'Hear it'}
        </button>
      </div>
      <p class="wrong" role="alert">
        {trouble}
      </p>
    </div>
  );
}

/** The values in the fields, where they are valid. */
function chosen(form: PipelineForm): Record<string, unknown> {
  const fields = form.fields.value.filter(({ key }) => key === 'voice' || key === 'speed');
  return Object.fromEntries(
    fields.flatMap((field) => {
      const read = readField(field, form.shown(field));
      return 'value' in read ? [[field.key, read.value]] : [];
    }),
  );
}
