import { computed, signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import { t } from '../language/translate.ts';
import { CallError, type Caller, sentenceOf } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';
import {
  changesOf,
  type Field,
  fieldOfParam,
  formFieldsOf,
  formTextOf,
  isChanged,
  readField,
} from './form.ts';

type State = components['schemas']['PipelineState'];
type Options = components['schemas']['PipelineOptions'];

/** Settings with a separate editor. */
const shownElsewhere: ReadonlySet<string> = new Set(['routines', 'default_list']);

export interface SettingsServer {
  caller: Caller;
  /** Whether an error means that the server is unreachable, which the page reports elsewhere. */
  isAway: (error: unknown) => Promise<boolean>;
}

export type PipelineForm = ReturnType<typeof createPipelineForm>;

/** The current settings, the unsaved changes, and the server's reply to them. */
export function createPipelineForm(server: SettingsServer) {
  const sheet = createSheet();
  const { fields, state, drafts } = sheet;
  const valueAt = (key: string): unknown =>
    Object.entries(state.value.values ?? {}).find(([name]) => name === key)?.[1];
  const shown = (field: Field): string =>
    drafts.value.get(field.key) ?? formTextOf(field, valueAt(field.key));
  const changed = computed(() =>
    fields.value.filter((field) => isChanged(field, drafts.value.get(field.key), valueAt(field.key))),
  );
  const load = async (): Promise<void> => {
    sheet.said.value = '';
    await loadSheet(sheet, server);
  };
  const patch = (changes: Record<string, unknown>) => patchSheet(sheet, server, changes);

  return {
    ...sheet,
    changed,
    shown,
    load,
    sourceOf: (key: string) => state.value.sources?.[key] ?? 'default',
    type: (field: Field, text: string) => typeInto(sheet, field, text),
    forgetTyped(): void {
      drafts.value = new Map();
      sheet.wrong.value = new Map();
      sheet.trouble.value = '';
    },
    async save(): Promise<void> {
      const read = changesOf(changed.value.map((field) => ({ field, text: shown(field) })));
      if ('changes' in read) return void (await patch(read.changes));
      mark(sheet, read.key, read.wrong);
      sheet.refused.value = read.key;
      sheet.trouble.value = t('Nothing was saved. Correct the marked setting.');
    },
    /** Back to the default, at once. */
    async reset({ key }: Field): Promise<void> {
      if (await patch({ [key]: null })) mark(sheet, key, null);
    },
  };
}

type Sheet = ReturnType<typeof createSheet>;

function createSheet() {
  return {
    fields: signal<readonly Field[]>([]),
    state: signal<Partial<State>>({}),
    options: signal<Partial<Options>>({}),
    etag: signal<string | null>(null),
    /** The typed texts, by key. */
    drafts: signal<ReadonlyMap<string, string>>(new Map()),
    /** The error of each refused field, by key. */
    wrong: signal<ReadonlyMap<string, string>>(new Map()),
    said: signal(''),
    trouble: signal(''),
    isMissing: signal(false),
    isBusy: signal(false),
    /** The last refused setting, until its field gets the focus. */
    refused: signal<string | null>(null),
  };
}

/** Shows an error beside its field, or clears it. */
function mark({ wrong }: Sheet, key: string, why: string | null): void {
  const others = [...wrong.value].filter(([each]) => each !== key);
  wrong.value = new Map(why === null ? others : [...others, [key, why]]);
}

function typeInto(sheet: Sheet, field: Field, text: string): void {
  sheet.drafts.value = new Map([...sheet.drafts.value, [field.key, text]]);
  const read = readField(field, text);
  mark(sheet, field.key, 'wrong' in read ? read.wrong : null);
  sheet.said.value = '';
}

async function loadSheet(sheet: Sheet, { caller, isAway }: SettingsServer): Promise<void> {
  try {
    const [contract, pipeline, choices] = await Promise.all([
      caller.call('/openapi.json'),
      caller.call('/admin/pipeline'),
      caller.call('/admin/pipeline/options').catch(() => null),
    ]);
    sheet.fields.value = formFieldsOf(schemaOf(contract.body)).filter(({ key }) => !shownElsewhere.has(key));
    sheet.options.value = bodyOf<Options>(choices?.body);
    take(sheet, pipeline);
    sheet.trouble.value = '';
  } catch (error) {
    sheet.isMissing.value = error instanceof CallError && error.status === 404;
    sheet.trouble.value = (await isAway(error)) ? '' : sentenceOf(error);
  }
}

function take({ state, etag }: Sheet, { body, headers }: { body: unknown; headers: Headers }): void {
  state.value = bodyOf<State>(body);
  etag.value = headers.get('etag');
}

/**
 * Sends the changes. Returns whether the server accepted them. A refused field keeps its text and shows the
 * reason.
 */
async function patchSheet(
  sheet: Sheet,
  server: SettingsServer,
  changes: Record<string, unknown>,
): Promise<boolean> {
  const { drafts, etag, said, trouble, isBusy } = sheet;
  isBusy.value = true;
  said.value = '';
  trouble.value = '';
  try {
    const answer = await server.caller.call('/admin/pipeline', {
      method: 'PATCH',
      body: changes,
      headers: etag.value === null ? {} : { 'if-match': etag.value },
    });
    take(sheet, answer);
    drafts.value = new Map([...drafts.value].filter(([key]) => !(key in changes)));
    said.value = savedWords(changes);
    return true;
  } catch (error) {
    await refuse(sheet, server, error);
    return false;
  } finally {
    isBusy.value = false;
  }
}

function savedWords(changes: Record<string, unknown>): string {
  if ('language' in changes) return t('Saved. The language applies after a restart.');
  if ('time_zone' in changes) return t('Saved. The time zone applies after a restart.');
  return t('Saved. It applies from the next question.');
}

async function refuse(sheet: Sheet, server: SettingsServer, error: unknown): Promise<void> {
  const { fields, trouble } = sheet;
  if (error instanceof CallError && error.status === 412) {
    await loadSheet(sheet, server);
    trouble.value = t(
      'Someone else changed the settings. You see the new values, and your own changes are still here. Check them and save again.',
    );
    return;
  }
  const key = error instanceof CallError ? fieldOfParam(error.param) : null;
  if (key !== null && fields.value.some((field) => field.key === key)) {
    mark(sheet, key, sentenceOf(error));
    sheet.refused.value = key;
    trouble.value = t('Nothing was saved. One setting was refused.');
  } else trouble.value = sentenceOf(error);
}

function schemaOf(contract: unknown): unknown {
  const { components } = bodyOf<{ components: unknown }>(contract);
  const { schemas } = bodyOf<{ schemas: unknown }>(components);
  return bodyOf<{ Pipeline: unknown }>(schemas).Pipeline;
}
