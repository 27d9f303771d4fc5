import { computed, signal } from '@preact/signals';
import { isSame } from './form.ts';
import { createPipelineForm, type SettingsServer } from './pipeline.ts';
import type { RoutineDraft } from './routines.ts';

/** The routine that is being edited. */
interface Editing {
  /** Its place among the routines; a new one stands behind them. */
  at: number;
  /** As it was when the editing began. */
  first: RoutineDraft;
  draft: RoutineDraft;
}

/** The file of own sentences that is being edited. */
export interface SentenceEditing {
  file: string;
  /** As it was when the editing began. */
  first: string;
  text: string;
}

/** All that somebody has begun to change in the settings: it waits while other views are open. */
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
