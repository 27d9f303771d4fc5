import type { WakeWord } from '../wake/wake-word.ts';
import type { SessionChanges } from './events/listen-events.ts';
import { createHouseholdWatch } from './household-watch.ts';
import type { createSessionSpeaker } from './playback/session-speaker.ts';
import type { createSessionChoice } from './session-choice.ts';
import type { SessionOptions } from './session-options.ts';
import { resetsListening } from './session-policy.ts';
import { missingWords, stateOf } from './session-state.ts';
import { hasWords } from './wake-gate.ts';

interface SessionUpdatesOptions
  extends Pick<SessionOptions, 'id' | 'limits' | 'timers' | 'settings' | 'onChoice' | 'send'> {
  choice: ReturnType<typeof createSessionChoice>;
  speaker: Pick<ReturnType<typeof createSessionSpeaker>, 'tellWith'>;
  /** The current wake words. */
  words: () => readonly WakeWord[];
  /** Resets listening, because the wake mode or its detector has changed. */
  resetListening: () => void;
  /** Applies the choice in effect to the microphone. */
  setMicrophone: () => void;
}

/** Applies changes of a session by its satellite and by the household, and reports the new state. */
export function createSessionUpdates(options: SessionUpdatesOptions) {
  const { choice, speaker, words, settings, send, onChoice, resetListening, setMicrophone } = options;

  const report = (type: 'session.created' | 'session.updated'): void => {
    const state = stateOf(options, choice.now, { words: words(), names: settings().names });
    send({ type, session: { ...state, speaker: speaker.tellWith() } });
    const missing = hasWords(choice.now.wake) ? missingWords(settings().wakeWords, words()) : null;
    if (missing !== null) send(missing);
  };
  const household = createHouseholdWatch({
    now: () => choice.now,
    onChange: (now, hasOtherMode) => {
      onChoice(now);
      if (hasOtherMode) resetListening();
      report('session.updated');
    },
  });

  return {
    report,
    /** Applies the changes that the satellite has requested. */
    update(changes: SessionChanges): void {
      const before = choice.now.wake;
      const { wake } = choice.update(changes);
      onChoice(choice.now);
      if (resetsListening(changes, { before, after: wake })) resetListening();
      household.isKnown();
      setMicrophone();
      report('session.updated');
    },
    /** Call when the household may have set another room or wake mode. */
    refreshHousehold: household.look,
  };
}
