import type { HouseholdChoice } from '../satellites/household-choice.ts';
import { unnamedConversation } from '../timers/satellites-there.ts';
import type { SessionChanges, SessionState } from './events/listen-events.ts';

/** The session fields that a satellite may change while it is connected. */
export type SessionChoice = Pick<
  SessionState,
  'client' | 'room' | 'endpointing' | 'end_silence_ms' | 'wake' | 'wake_detector' | 'language'
>;

/**
 * Holds what a satellite has chosen for its session. The household's settings for its name take precedence.
 */
export function createSessionChoice(
  first: SessionChoice,
  household: (client: string | null) => Pick<HouseholdChoice, 'room' | 'wake' | 'language'>,
) {
  let choice = first;
  /** The satellite has set its own end silence. */
  let hasOwnSilence = false;

  const now = (): SessionChoice => {
    const { room, wake, language } = household(choice.client);
    return {
      ...choice,
      ...(room !== null && { room }),
      ...(wake !== null && { wake }),
      ...(language !== null && { language }),
    };
  };

  return {
    get now(): SessionChoice {
      return now();
    },
    update(changes: SessionChanges): SessionChoice {
      choice = updated(choice, changes);
      hasOwnSilence ||= changes.end_silence_ms !== undefined;
      return now();
    },
    /** Applies the household's end silence, unless the satellite has set its own. */
    endAfter(silenceMs: number): void {
      if (!hasOwnSilence) choice = { ...choice, end_silence_ms: silenceMs };
    },
  };
}

/** Keeps missing fields. Null removes the name or room. */
function updated(choice: SessionChoice, changes: SessionChanges): SessionChoice {
  const { client, room, endpointing, end_silence_ms } = changes;
  const wake = changes.wake ?? choice.wake;
  const wake_detector = changes.wake_detector ?? choice.wake_detector;
  return {
    client: client === undefined ? choice.client : client,
    room: room === undefined ? choice.room : room,
    endpointing: endpointing ?? choice.endpointing,
    end_silence_ms: end_silence_ms ?? choice.end_silence_ms,
    ...(wake !== undefined && { wake }),
    ...(wake_detector !== undefined && { wake_detector }),
    ...(choice.language !== undefined && { language: choice.language }),
  };
}

/** A satellite without a name gets a separate conversation, which ends with the connection. */
export function conversationOf(id: string, { client }: SessionChoice): string {
  return client ?? unnamedConversation(id);
}
