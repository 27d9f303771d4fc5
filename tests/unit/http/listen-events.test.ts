import { describe, expect, test } from 'vitest';
import { eventTypes, examplesOf, faultOfEvent, type Side } from '../../support/clients/listen-events.ts';

const sides = ['server', 'client'] as const;
const all = sides.flatMap((side) => eventTypes[side].map((type): [Side, string] => [side, type]));

describe('listen-events.schema.json', () => {
  test('names every event of the protocol', () => {
    expect(eventTypes).toEqual({
      server: [
        'session.created',
        'session.updated',
        'input_audio_buffer.speech_started',
        'input_audio_buffer.speech_stopped',
        'input_audio_buffer.committed',
        'input_audio_buffer.cleared',
        'conversation.item.input_audio_transcription.delta',
        'conversation.item.input_audio_transcription.completed',
        'response.created',
        'response.output_audio.started',
        'response.output_audio_transcript.delta',
        'response.output_audio.done',
        'response.done',
        'timer.started',
        'timer.changed',
        'timer.finished',
        'timer.stopped',
        'speaker.changed',
        'wake.changed',
        'microphone.changed',
        'microphone.watched',
        'error',
      ],
      client: [
        'session.update',
        'speaker.update',
        'wake.heard',
        'microphone.level',
        'input_audio_buffer.commit',
        'input_audio_buffer.clear',
        'response.cancel',
        'playback.finished',
      ],
    });
  });

  test.each(all)('has examples that it accepts: %s %s', (side, type) => {
    const faults = examplesOf(type).map((example) => faultOfEvent(side, example));

    expect(faults).toEqual(faults.map(() => null));
  });

  test.each(all)('enforces its required fields: %s %s', (side, type) => {
    const [example] = examplesOf(type);

    expect(faultOfEvent(side, { ...example, type: undefined })).toMatch(/no event/);
    if (side === 'server') expect(faultOfEvent(side, { type })).toMatch(/must have required property/);
  });

  test.each(eventTypes.server)('lets the server add no unknown field: %s', (type) => {
    const [example] = examplesOf(type);

    expect(faultOfEvent('server', { ...example, surprise: 1 })).toMatch(
      /must NOT have additional properties/,
    );
  });

  test.each(eventTypes.client)('lets a satellite add unknown fields: %s', (type) => {
    const [example] = examplesOf(type);

    expect(faultOfEvent('client', { ...example, surprise: 1 })).toBeNull();
  });

  test.each([
    ['completed', 'turn_detected', /must be null|must be equal/],
    ['cancelled', null, /must be equal to one of/],
    ['cancelled', 'llm_unavailable', /must be equal to one of/],
    ['failed', null, /must be string/],
  ])('requires a reason that fits the end: %s, %s', (status, reason, fault) => {
    const [example] = examplesOf('response.done');

    expect(faultOfEvent('server', { ...example, status, reason })).toMatch(fault);
  });

  test.each([
    ['session.update', { session: { endpointing: 'both' } }],
    ['session.update', { session: { end_silence_ms: 20 } }],
    ['session.update', { session: { room: 'x'.repeat(101) } }],
    ['session.update', { session: { client: 'a\u0000b' } }],
    ['session.update', { session: 'kitchen' }],
    ['playback.finished', { played_ms: -1 }],
    ['playback.finished', { turn_id: null }],
    ['response.cancel', { turn_id: 7 }],
    ['input_audio_buffer.commit', { event_id: 7 }],
  ])('refuses nonsense: %s %j', (type, changes) => {
    const [example] = examplesOf(type);

    expect(faultOfEvent('client', { ...example, ...changes })).not.toBeNull();
  });
});
