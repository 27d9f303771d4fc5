import { computed, signal } from '@preact/signals';
import { isSame } from './form.ts';
import { createPipelineForm, type SettingsServer } from './pipeline.ts';
import type { RoutineDraft } from './routines.ts';

/** The routine that is being edited. */
interface Editing {
  /** Its index among the routines; a new one comes last. */
  at: number;
  /** Its value when editing began. */
  first: RoutineDraft;
  draft: RoutineDraft;
}

/** The file of own sentences that is being edited. */
export interface SentenceEditing {
  file: string;
  /** Its value when editing began. */
  first: string;
  text: string;
}

/** Unsaved changes in the settings, kept while other views are open. */
export function createSettingsDesk(server: SettingsServer) {
  const form = createPipelineForm(server);
  const editing = signal<Editing | null>(null);
  const sentences = signal<SentenceEditing | null>(null);
  return {
    form,
    editing,
    sentences,
    isUnkept: computed(
      () =>
        form.changed.value.length > 0 ||
        (editing.value !== null && !isSame(editing.value.draft, editing.value.first)) ||
        (sentences.value !== null && sentences.value.text !== sentences.value.first),
    ),
    forget(): void {
      form.forgetTyped();
      editing.value = null;
      sentences.value = null;
    },
  };
}
