import type { SessionChanges, WakeMode } from './events/listen-events.ts';
import { conversationOf, type SessionChoice } from './session-choice.ts';
import type { UtteranceOrigin } from './utterance/pending-utterance.ts';

/** The speaker of the next utterance, by the choice in effect. */
export function speakerOf(id: string, choice: SessionChoice): UtteranceOrigin {
  return {
    conversation: conversationOf(id, choice),
    room: choice.room,
    language: choice.language,
    isManual: choice.endpointing === 'manual',
  };
}

/** The wake mode of the microphone. Undefined: a button opens it, so no wake word is needed. */
export function microphoneMode({ endpointing, wake }: SessionChoice): WakeMode | undefined {
  return endpointing === 'manual' ? undefined : wake;
}

/** Whether sentences need a name or wake word that the server detects. */
export function isCalledAloud({ wake, wake_detector }: SessionChoice): boolean {
  return (wake ?? 'open') !== 'open' && wake_detector !== 'client';
}

const listeningFields = ['wake', 'wake_detector', 'endpointing'] as const;

/**
 * Whether an update resets listening. A repeated value resets it too, because the household may have changed
 * it.
 */
export function resetsListening(
  changes: SessionChanges,
  modes: { before: WakeMode | undefined; after: WakeMode | undefined },
): boolean {
  return modes.before !== modes.after || listeningFields.some((field) => field in changes);
}
