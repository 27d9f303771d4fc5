import { describe, expect, test } from 'vitest';
import type { ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { afterEvent, afterLoss, type Exchange } from '../../../console/src/live/exchanges.ts';

const done = (more: Partial<Extract<ServerEvent, { type: 'response.done' }>> = {}): ServerEvent => ({
  ...{
    type: 'response.done',
    turn_id: 't',
    status: 'completed',
    reason: null,
    via: 'local',
    reply: 'Paris.',
  },
  timings: { total_ms: 900 },
  ...more,
});
const question: readonly ServerEvent[] = [
  { type: 'input_audio_buffer.speech_started', turn_id: 't', audio_start_ms: 0 },
  { type: 'conversation.item.input_audio_transcription.delta', turn_id: 't', transcript: 'What is' },
  { type: 'input_audio_buffer.committed', turn_id: 't', audio_duration_ms: 900 },
  { type: 'response.created', turn_id: 't' },
  { type: 'conversation.item.input_audio_transcription.completed', turn_id: 't', transcript: 'What is it?' },
  { type: 'response.output_audio_transcript.delta', turn_id: 't', delta: 'Pa' },
  { type: 'response.output_audio_transcript.delta', turn_id: 't', delta: 'ris.' },
];
const shownAfter = (events: readonly ServerEvent[]) =>
  events.reduce<readonly Exchange[]>((shown, event) => afterEvent(shown, event, 1), []);

describe('the shown conversation', () => {
  test('follows a question from its first word to the end of the answer', () => {
    expect(shownAfter(question.slice(0, 2))).toMatchObject([
      { question: 'What is', isPartial: true, state: 'listening' },
    ]);
    expect(shownAfter(question.slice(0, 4))).toMatchObject([{ state: 'thinking' }]);
    expect(shownAfter(question)).toMatchObject([
      { question: 'What is it?', reply: 'Paris.', state: 'speaking' },
    ]);
    expect(shownAfter([...question, done()])).toMatchObject([
      { state: 'done', via: 'local', timings: { total_ms: 900 } },
    ]);
  });

  test.each<[string, readonly ServerEvent[]]>([
    ['noise', [...question.slice(0, 1), { type: 'input_audio_buffer.cleared', turn_id: 't' }]],
    ['an echo', [...question.slice(0, 4), done({ status: 'cancelled', reason: 'echo', reply: '' })]],
    [
      'half a sentence',
      [...question.slice(0, 4), done({ status: 'cancelled', reason: 'revised', reply: '' })],
    ],
    ['an event about no turn', [{ type: 'input_audio_buffer.cleared', turn_id: null }]],
  ])('leaves no trace of %s', (_name, events) => {
    expect(shownAfter(events)).toEqual([]);
  });

  test('keeps the played text of an interrupted answer', () => {
    const shown = shownAfter([
      ...question,
      done({ status: 'cancelled', reason: 'turn_detected', via: null, reply: 'Pa' }),
    ]);

    expect(shown).toMatchObject([{ state: 'cancelled', reply: 'Pa', note: 'Interrupted.' }]);
  });

  test('explains in a sentence why there is no answer', () => {
    const error = {
      message: 'The language model cannot be reached.',
      type: 'server_error',
      code: 'llm_unavailable',
      param: null,
    } as const;
    const failed = done({ status: 'failed', reason: 'llm_unavailable', reply: '' });

    const shown = shownAfter([
      ...question.slice(0, 5),
      { type: 'error', turn_id: 't', event: null, event_id: null, error },
      failed,
    ]);

    expect(shown).toMatchObject([{ state: 'failed', note: 'The language model cannot be reached.' }]);
  });

  test('shows the words of a timer once, however often it rings', () => {
    const round = (turn_id: string, reply: string): ServerEvent[] => [
      { type: 'response.created', turn_id },
      { type: 'response.output_audio_transcript.delta', turn_id, delta: reply },
      done({ turn_id, via: 'timer', reply }),
    ];

    const shown = shownAfter([
      ...round('1', 'Your pasta timer is done.'),
      ...round('2', 'Your pasta timer is done.'),
      ...round('3', ''),
    ]);

    expect(shown).toMatchObject([{ kind: 'told', reply: 'Your pasta timer is done.' }]);
  });

  test('does not grow without limit', () => {
    const many = Array.from(
      { length: 500 },
      (_, index): ServerEvent => ({
        ...{
          type: 'conversation.item.input_audio_transcription.completed',
          turn_id: `${index}`,
          transcript: 'Hello.',
        },
      }),
    );

    expect(shownAfter(many)).toHaveLength(60);
  });

  test('asks to repeat a question that a lost connection dropped', () => {
    expect(afterLoss(shownAfter(question))).toMatchObject([
      { state: 'failed', note: 'The connection was lost. Ask again.' },
    ]);
    expect(afterLoss(shownAfter(question.slice(0, 1)))).toEqual([]);
    expect(afterLoss(shownAfter([...question, done()]))).toMatchObject([{ state: 'done', note: null }]);
  });
});
