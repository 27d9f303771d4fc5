import { computed, signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import { CallError, type Caller, sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';
import { type Field, fieldOfParam, fieldsOf, isSame, readField, textOf } from './form.ts';

type State = components['schemas']['PipelineState'];
type Options = components['schemas']['PipelineOptions'];

export type PipelineForm = ReturnType<typeof createPipelineForm>;

/** The settings as they are, what the person has typed over them, and what the server says to it. */
export function createPipelineForm(caller: Caller) {
  const fields = signal<readonly Field[]>([]);
  const state = signal<Partial<State>>({});
  const options = signal<Partial<Options>>({});
  const etag = signal<string | null>(null);
  const drafts = signal<ReadonlyMap<string, string>>(new Map());
  const wrong = signal<ReadonlyMap<string, string>>(new Map());
  const said = signal('');
  const trouble = signal('');
  const isMissing = signal(false);
  const isBusy = signal(false);

  const valueAt = (key: string): unknown =>
    Object.entries(state.value.values ?? {}).find(([name]) => name === key)?.[1];
  const shown = (field: Field): string => drafts.value.get(field.key) ?? textOf(field, valueAt(field.key));
  const changed = computed(() =>
    fields.value.filter((field) => isChanged(field, drafts.value.get(field.key), valueAt(field.key))),
  );

  const take = (body: unknown, headers: Headers): void => {
    state.value = bodyOf<State>(body);
    etag.value = headers.get('etag');
  };
  const fail = (error: unknown): void => {
    isMissing.value = error instanceof CallError && error.status === 404;
    trouble.value = sentenceOf(error);
  };
  const load = async (): Promise<void> => {
    try {
      const [contract, pipeline, choices] = await Promise.all([
        caller.call('/openapi.json'),
        caller.call('/admin/pipeline'),
        caller.call('/admin/pipeline/options').catch(() => null),
      ]);
      fields.value = fieldsOf(schemaOf(contract.body));
      options.value = bodyOf<Options>(choices?.body);
      take(pipeline.body, pipeline.headers);
      trouble.value = '';
    } catch (error) {
      fail(error);
    }
  };

  /** Sends what was typed. A refused field keeps what was typed, and says why. */
  const patch = async (changes: Record<string, unknown>): Promise<boolean> => {
    isBusy.value = true;
    said.value = '';
    trouble.value = '';
    try {
      const { body, headers } = await caller.call('/admin/pipeline', {
        method: 'PATCH',
        body: changes,
        headers: etag.value === null ? {} : { 'if-match': etag.value },
      });
      take(body, headers);
      drafts.value = new Map([...drafts.value].filter(([key]) => !(key in changes)));
      said.value = 'Kept. It counts from the next question on.';
      return true;
    } catch (error) {
      await refuse(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  };
  const refuse = async (error: unknown): Promise<void> => {
    if (error instanceof CallError && error.status === 412) {
      await load();
      trouble.value =
        'Somebody else has changed settings meanwhile. They are shown now; what you typed is still here. Look, and keep it again.';
      return;
    }
    const key = error instanceof CallError ? fieldOfParam(error.param) : null;
    if (key !== null && fields.value.some((field) => field.key === key)) {
      wrong.value = new Map([...wrong.value, [key, sentenceOf(error)]]);
      trouble.value = 'Nothing was changed: one of the settings was refused.';
    } else trouble.value = sentenceOf(error);
  };

  return {
    fields,
    state,
    options,
    wrong,
    said,
    trouble,
    isMissing,
    isBusy,
    changed,
    shown,
    load,
    sourceOf: (key: string) => state.value.sources?.[key] ?? 'default',
    type(field: Field, text: string): void {
      drafts.value = new Map([...drafts.value, [field.key, text]]);
      const read = readField(field, text);
      const others = [...wrong.value].filter(([key]) => key !== field.key);
      wrong.value = new Map('wrong' in read ? [...others, [field.key, read.wrong]] : others);
      said.value = '';
    },
    forgetTyped(): void {
      drafts.value = new Map();
      wrong.value = new Map();
      trouble.value = '';
    },
    async save(): Promise<void> {
      const changes = new Map<string, unknown>();
      for (const field of changed.value) {
        const read = readField(field, shown(field));
        if ('wrong' in read) {
          wrong.value = new Map([...wrong.value, [field.key, read.wrong]]);
          trouble.value = 'Nothing was changed: look at what is marked.';
          return;
        }
        changes.set(field.key, read.value);
      }
      await patch(Object.fromEntries(changes));
    },
    /** Back to the default, at once. */
    async reset(field: Field): Promise<void> {
      const done = await patch({ [field.key]: null });
      if (done) wrong.value = new Map([...wrong.value].filter(([key]) => key !== field.key));
    },
  };
}

function isChanged(field: Field, draft: string | undefined, value: unknown): boolean {
  if (draft === undefined) return false;
  const read = readField(field, draft);
  return 'wrong' in read || !isSame(read.value, value);
}

function schemaOf(contract: unknown): unknown {
  const { components } = bodyOf<{ components: unknown }>(contract);
  const { schemas } = bodyOf<{ schemas: unknown }>(components);
  return bodyOf<{ Pipeline: unknown }>(schemas).Pipeline;
}
