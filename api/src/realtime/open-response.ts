import type { ResponseDone } from '../listen/events/listen-events.ts';
import type { Reply } from '../turn/turn.ts';
import type { ConversationItems, Item, SendEvent } from './conversation-items.ts';
import type { RealtimeState } from './session-state.ts';
import { createOutputConverter, type WireFormat } from './sound-formats.ts';

interface OpenResponseOptions {
  turnId: string;
  send: SendEvent;
  items: Pick<ConversationItems, 'add' | 'end' | 'last'>;
  state: Pick<RealtimeState, 'output' | 'isSilent'>;
  requested: RequestedResponse;
}

/** A client's options for a response. */
export interface RequestedResponse {
  /** The client's own data, which it uses to find the response. */
  metadata: object | null;
  /** Whether this response is text only. Undefined: the same as the session. */
  isSilent: boolean | undefined;
  /** The sound format of this response. Undefined: the same as the session. */
  output: WireFormat | undefined;
  /** Fields without effect. */
  ignored: readonly string[];
}
export const unasked: RequestedResponse = {
  metadata: null,
  isSilent: undefined,
  output: undefined,
  ignored: [],
};

/** How the response ended. */
type Outcome = Pick<ResponseDone, 'status' | 'reason'>;

export type OpenResponse = ReturnType<typeof openResponse>;

/** The ids of a turn's parts. Each contains the turn id. */
export const idsOf = (turnId: string) => ({
  item: `item_${turnId}`,
  answer: `msg_${turnId}`,
  response: `resp_${turnId}`,
});

/** The turn of an answer item; null: the item is not an answer. */
export function turnOfAnswer(itemId: string): string | null {
  return itemId.startsWith('msg_') ? itemId.slice('msg_'.length) : null;
}

/** An answer in progress: a response with one item that has one part. */
export function openResponse({ turnId, send, items, state, requested }: OpenResponseOptions) {
  const isSilent = requested.isSilent ?? state.isSilent;
  const ids = idsOf(turnId);
  const outer = { response_id: ids.response, output_index: 0 };
  const place = { ...outer, item_id: ids.answer, content_index: 0 };
  const output = createOutputConverter(requested.output ?? state.output);
  let transcript = '';
  let hasItem = false;
  let hasSound = false;
  let failure: string | null = null;
  let usage: object | null = null;

  const response = (status: string, more: object = {}): object => ({
    id: ids.response,
    object: 'realtime.response',
    status,
    status_details: null,
    output: [],
    conversation_id: null,
    output_modalities: [isSilent ? 'text' : 'audio'],
    max_output_tokens: 'inf',
    metadata: requested.metadata,
    usage: null,
    hearth: { ignored: [...requested.ignored] },
    ...more,
  });
  const item = (status: 'in_progress' | 'completed' | 'incomplete', content: object[]): Item => ({
    id: ids.answer,
    object: 'realtime.item',
    type: 'message',
    status,
    role: 'assistant',
    content,
  });
  const part = () => (isSilent ? { type: 'text', text: transcript } : { type: 'audio', transcript });

  const begin = (): void => {
    if (hasItem) return;
    hasItem = true;
    const begun = item('in_progress', []);
    send('response.output_item.added', { ...outer, item: begun });
    items.add(begun);
    send('response.content_part.added', { ...place, part: part() });
  };
  const play = (sound: Buffer): void => {
    if (isSilent || sound.length === 0) return;
    begin();
    hasSound = true;
    send('response.output_audio.delta', { ...place, delta: sound.toString('base64') });
  };
  const endItem = (status: 'completed' | 'incomplete'): Item[] => {
    if (!hasItem) return [];
    if (isSilent) send('response.output_text.done', { ...place, text: transcript });
    if (hasSound) send('response.output_audio.done', place);
    if (!isSilent) send('response.output_audio_transcript.done', { ...place, transcript });
    send('response.content_part.done', { ...place, part: part() });
    const content = isSilent
      ? { type: 'output_text', text: transcript }
      : { type: 'output_audio', transcript };
    const ended = item(status, [content]);
    send('response.output_item.done', { ...outer, item: ended });
    items.end(ended, items.last() === ended.id ? null : items.last());
    return [ended];
  };

  send('response.created', { response: response('in_progress') });
  return {
    turnId,
    isSilent,
    /** Adds words, just before their sound. */
    say(words: string): void {
      begin();
      transcript += words;
      const type = isSilent ? 'response.output_text.delta' : 'response.output_audio_transcript.delta';
      send(type, { ...place, delta: words });
    },
    /** Adds sound at 16 kHz. */
    play: (samples: Buffer): void => play(output.push(samples)),
    /** Ends the sound. */
    endSound: (): void => play(output.end()),
    /** Sets the tokens the model used; null: no model was used. */
    use(used: Reply['usage']): void {
      usage = toldUsage(used ?? { prompt: 0, cached: 0, answer: 0 });
    },
    /** No answer exists; the error is spoken instead. */
    fail(code: string): void {
      failure = code;
    },
    /** Ends the response with the given outcome, or with the one so far. */
    end(outcome?: Outcome): void {
      const { status, reason } = outcome ?? outcomeOf(failure);
      const ended = endItem(status === 'completed' ? 'completed' : 'incomplete');
      const status_details = detailsOf({ status, reason });
      send('response.done', { response: response(status, { status_details, output: ended, usage }) });
    },
  };
}

/** The model uses only text tokens: other engines process the sound. */
function toldUsage({ prompt, cached, answer }: NonNullable<Reply['usage']>): object {
  return {
    total_tokens: prompt + answer,
    input_tokens: prompt,
    output_tokens: answer,
    input_token_details: { cached_tokens: cached, text_tokens: prompt, audio_tokens: 0, image_tokens: 0 },
    output_token_details: { text_tokens: answer, audio_tokens: 0 },
  };
}

function outcomeOf(failure: string | null): Outcome {
  return failure === null ? { status: 'completed', reason: null } : { status: 'failed', reason: failure };
}

function detailsOf({ status, reason }: Outcome): object | null {
  if (status === 'completed') return null;
  if (status === 'failed') return { type: 'failed', error: { type: 'server_error', code: reason } };
  // OpenAI defines two reasons.
  return { type: 'cancelled', reason: reason === 'client_cancelled' ? reason : 'turn_detected' };
}
