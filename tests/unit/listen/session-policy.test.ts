import { describe, expect, test } from 'vitest';
import type { SessionChoice } from '../../../api/src/listen/session-choice.ts';
import {
  isCalledAloud,
  microphoneMode,
  resetsListening,
  speakerOf,
} from '../../../api/src/listen/session-policy.ts';

const choice: SessionChoice = { client: null, room: 'kitchen', endpointing: 'server', end_silence_ms: 600 };

describe('the speaker', () => {
  test('talks in the conversation of the satellite name', () => {
    const speaker = speakerOf('s1', { ...choice, client: 'kitchen', language: 'de' });

    expect(speaker).toEqual({ conversation: 'kitchen', room: 'kitchen', language: 'de', isManual: false });
  });

  test('of a satellite without a name has a separate conversation', () => {
    expect(speakerOf('s1', choice).conversation).not.toBe(speakerOf('s2', choice).conversation);
  });
});

describe('the microphone', () => {
  test('uses the wake mode', () => {
    expect(microphoneMode({ ...choice, wake: 'word' })).toBe('word');
  });

  test('needs no wake word with a button', () => {
    expect(microphoneMode({ ...choice, wake: 'word', endpointing: 'manual' })).toBeUndefined();
  });
});

describe('the server hears the call', () => {
  test.each([
    ['not if every sentence is answered', {}, false],
    ['not in the mode open', { wake: 'open' }, false],
    ['in the mode name', { wake: 'name' }, true],
    ['in the mode word', { wake: 'word' }, true],
    ['not if the satellite detects the word', { wake: 'word', wake_detector: 'client' }, false],
  ] as const)('%s', (_what, change, expected) => {
    expect(isCalledAloud({ ...choice, ...change })).toBe(expected);
  });
});

describe('an update resets listening', () => {
  test.each([
    ['if the mode differs', {}, { before: 'open', after: 'word' }, true],
    ['if it repeats the mode', { wake: 'word' }, { before: 'word', after: 'word' }, true],
    ['if it chooses a button', { endpointing: 'manual' }, { before: 'open', after: 'open' }, true],
    ['not if it only sets a room', { room: 'bath' }, { before: 'open', after: 'open' }, false],
  ] as const)('%s', (_what, changes, modes, expected) => {
    expect(resetsListening(changes, modes)).toBe(expected);
  });
});
