import type { ResponseDone, ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { t } from '../language/translate.ts';

/** One question and its answer on the page. */
export interface Exchange {
  id: string;
  /** Id of the turn at the server, if known. */
  turn: string | null;
  /** `told`: Hearth spoke first, such as for a timer. `earlier`: from before the page was loaded. */
  kind: 'spoken' | 'typed' | 'told' | 'earlier';
  question: string;
  /** The transcript is partial, so the words may change. */
  isPartial: boolean;
  reply: string;
  state: 'listening' | 'thinking' | 'speaking' | 'done' | 'cancelled' | 'failed';
  via: string | null;
  /** An error, or the reason why there is no answer; a sentence. */
  note: string | null;
  /** An announcement that the quiet hours prevented. */
  isForQuietHours?: boolean;
  timings: ResponseDone['timings'] | null;
  atMs: number;
}

/** The activity view has older ones. */
const maxExchanges = 60;

/** The exchanges after an event, given those before it. */
export function afterEvent(
  exchanges: readonly Exchange[],
  event: ServerEvent,
  nowMs: number,
): readonly Exchange[] {
  const turnId = 'turn_id' in event ? event.turn_id : null;
  if (turnId === null || event.type === 'timer.started') return exchanges;
  if (event.type === 'input_audio_buffer.cleared') return exchanges.filter(({ id }) => id !== turnId);
  const known = exchanges.find(({ id }) => id === turnId);
  const before = known ?? begun(turnId, nowMs, event.type === 'response.created' ? 'told' : 'spoken');
  const after = changed(before, event);
  if (after === before) return exchanges;
  if (isNothing(after) || isRepeated(after, exchanges)) return exchanges.filter(({ id }) => id !== turnId);
  if (known) return exchanges.map((each) => (each.id === turnId ? after : each));
  return [...exchanges, after].slice(-maxExchanges);
}

/** Omits speech without a question, and rounds of ringing without words. */
function isNothing({ kind, state, note, question, reply }: Exchange): boolean {
  if (kind === 'told') return (state === 'done' || state === 'cancelled') && reply === '';
  return state === 'cancelled' && note === null && (reply === '' || question === '');
}

/** A timer rings in rounds, so its words are shown only once. */
function isRepeated({ id, kind, state, reply }: Exchange, exchanges: readonly Exchange[]): boolean {
  if (kind !== 'told' || state !== 'done') return false;
  return exchanges
    .slice(-3)
    .some((each) => each.kind === 'told' && each.id !== id && each.reply.trim() === reply.trim());
}

function begun(id: string, atMs: number, kind: 'spoken' | 'told'): Exchange {
  return {
    id,
    turn: id,
    kind,
    question: '',
    isPartial: kind === 'spoken',
    reply: '',
    state: 'listening',
    via: null,
    note: null,
    timings: null,
    atMs,
  };
}

function changed(exchange: Exchange, event: ServerEvent): Exchange {
  switch (event.type) {
    case 'input_audio_buffer.speech_started':
      return { ...exchange, state: 'listening' };
    case 'input_audio_buffer.committed':
      return { ...exchange, state: 'thinking' };
    case 'conversation.item.input_audio_transcription.delta':
      return exchange.isPartial ? { ...exchange, question: event.transcript } : exchange;
    case 'conversation.item.input_audio_transcription.completed':
      return { ...exchange, question: event.transcript, isPartial: false };
    case 'response.created':
      return { ...exchange, state: 'thinking' };
    case 'response.output_audio_transcript.delta':
      return { ...exchange, state: 'speaking', reply: exchange.reply + event.delta };
    case 'response.done':
      return finished(exchange, event);
    case 'error':
      return { ...exchange, note: event.error.message };
    default:
      return exchange;
  }
}

function finished(exchange: Exchange, { status, reason, via, reply, timings }: ResponseDone): Exchange {
  const state = status === 'completed' ? 'done' : status;
  const note = exchange.note ?? (status === 'cancelled' ? (notes[reason ?? '']?.() ?? null) : null);
  // Keeps only the played part of an interrupted answer.
  return { ...exchange, state, via, note, timings, isPartial: false, reply: reply || exchange.reply };
}

const notes: Readonly<Record<string, () => string>> = {
  turn_detected: () => t('Interrupted.'),
  client_cancelled: () => t('Stopped.'),
};

/** The turns of a lost connection end with it. */
export function afterLoss(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.flatMap((each): Exchange[] => {
    if (each.kind === 'typed' || isOver(each)) return [each];
    if (each.question === '' && each.reply === '') return [];
    return [{ ...each, state: 'failed', isPartial: false, note: t('The connection was lost. Ask again.') }];
  });
}

export function isOver({ state }: Exchange): boolean {
  return state === 'done' || state === 'cancelled' || state === 'failed';
}

/** Whether an exchange of this kind is still open. */
export function isGoingOn(exchanges: readonly Exchange[], kind: Exchange['kind']): boolean {
  return exchanges.some((each) => each.kind === kind && !isOver(each));
}
