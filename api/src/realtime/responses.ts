import type { ResponseDone } from '../listen/events/listen-events.ts';
import type { ConversationItems, SendEvent } from './conversation-items.ts';
import { idsOf, type OpenResponse, openResponse, type RequestedResponse, unasked } from './open-response.ts';
import type { RealtimeState } from './session-state.ts';

interface ResponsesOptions {
  send: SendEvent;
  items: ConversationItems;
  state: () => RealtimeState;
}

/** The responses of a connection. At most one is open: a new one cancels it. */
export function createResponses({ send, items, state }: ResponsesOptions) {
  let open: OpenResponse | null = null;
  let lastSent: string | null = null;
  let hasAnswered = false;
  let noted = unasked;

  const of = (turnId: string | null): OpenResponse | null =>
    open !== null && open.turnId === turnId ? open : null;
  const end = (...outcome: Parameters<OpenResponse['end']>): void => {
    const ended = open;
    open = null;
    // The client dropped the rest of a cancelled answer.
    if (ended) lastSent = outcome[0]?.status === 'cancelled' ? null : ended.turnId;
    ended?.end(...outcome);
  };

  return {
    /** The open response, if it belongs to this turn. */
    of,
    begin(turnId: string): void {
      end({ status: 'cancelled', reason: 'turn_detected' });
      hasAnswered = true;
      const requested = noted;
      noted = unasked;
      open = openResponse({ turnId, send, items, state: state(), requested });
    },
    /** Sends sound of the answer at 16 kHz. */
    play: (samples: Buffer): void => open?.play(samples),
    /** All sound is sent. A cut-off is reported in the same tick. */
    soundEnded(turnId: string): void {
      of(turnId)?.endSound();
      queueMicrotask(() => {
        if (of(turnId)) end();
      });
    },
    over(done: ResponseDone): void {
      if (of(done.turn_id)) end(done);
    },
    /** Sets the options of the next response. */
    note(requested: RequestedResponse): void {
      noted = requested;
    },
    /** Whether a response is open; with an id, whether it is that one. */
    isAnswering: (responseId?: string | null) =>
      open !== null && (responseId == null || responseId === idsOf(open.turnId).response),
    /** Whether the client wants only the words of this turn's answer. */
    isReadOnly: (turnId: string): boolean => of(turnId)?.isSilent === true,
    /** The turn whose sound was sent last: the client may still play it. */
    lastSent: () => lastSent,
    /** Whether a response was ever created. */
    hasAnswered: () => hasAnswered,
  };
}
