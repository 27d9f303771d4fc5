import type { HouseholdChoice } from '../satellites/household-choice.ts';
import { unnamedConversation } from '../timers/satellites-there.ts';
import type { SessionChanges, SessionState } from './listen-events.ts';

/** The part of a session that its satellite may change while it is connected. */
export type SessionChoice = Pick<
  SessionState,
  'client' | 'room' | 'endpointing' | 'end_silence_ms' | 'wake' | 'wake_detector'
>;

/** How a satellite wants its session, from now on. What the household has set for a satellite of this name goes before it. */
export function createSessionChoice(
  first: SessionChoice,
  household: (client: string | null) => Pick<HouseholdChoice, 'room' | 'wake'>,
) {
  let choice = first;
  /** The satellite has said itself how much silence ends an utterance. */
  let hasOwnSilence = false;

  const now = (): SessionChoice => {
    const { room, wake } = household(choice.client);
    return { ...choice, ...(room !== null && { room }), ...(wake !== null && { wake }) };
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
    /** The household wants this much silence to end an utterance. The satellite's own wish goes first. */
    endAfter(silenceMs: number): void {
      if (!hasOwnSilence) choice = { ...choice, end_silence_ms: silenceMs };
    },
  };
}

/** A field that is missing stays as it was; a name or room of null is given up. */
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
  };
}

/** A satellite without a name has a conversation of its own, which ends with the connection. */
export function conversationOf(id: string, { client }: SessionChoice): string {
  return client ?? unnamedConversation(id);
}
