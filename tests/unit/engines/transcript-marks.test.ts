import { describe, expect, test } from 'vitest';
import { readTranscription } from '../../../api/src/engines/stt-transcription.ts';
import { withoutMarks, wordsWithoutMarks } from '../../../api/src/engines/transcript-marks.ts';

describe('a mark for sound without speech', () => {
  test.each([
    '[BLANK_AUDIO]',
    '[ Silence ]',
    '(upbeat music)',
    '*coughs*',
    '**door closes**',
    '<|nospeech|>',
    '<|en|><|EMO_UNKNOWN|><|BGM|><|woitn|>',
    '<unk> <sil>',
    '♪ la la la ♪',
    '♪♪',
    '【音楽】',
    '（拍手）',
    '{noise}',
    '[5 seconds of silence]',
    '[BLANK_AUDIO] [Music] .',
    '[BLANK_AUDIO',
    '((unintelligible))',
    '[[music]]',
    '[ (laughs) ]',
    '〔音楽〕',
    '🎼😊',
  ])('removes all of %s', (text) => {
    expect(withoutMarks(text)).toBe('');
  });

  test.each([
    ['[BLANK_AUDIO] Turn on the light.', 'Turn on the light.'],
    ['(sighs) What time is it?', 'What time is it?'],
    ['Turn on [noise] the light. *coughs*', 'Turn on the light.'],
    ['<|en|><|NEUTRAL|><|Speech|><|withitn|>Stop.', 'Stop.'],
    ['[music] - Stop.', 'Stop.'],
    ['>> What time is it?', 'What time is it?'],
    ['((sighs)) Stop.', 'Stop.'],
    ['Turn on[noise] the light[door closes].', 'Turn on the light.'],
    ['SPEAKER_00: What time is it?', 'What time is it?'],
    ['[SPEAKER_01]: What time is it?', 'What time is it?'],
    ['Speaker 2: Stop.', 'Stop.'],
    ['[00:00.000 --> 00:02.500] What time is it?', 'What time is it?'],
  ])('leaves the words of %s', (text, words) => {
    expect(withoutMarks(text)).toBe(words);
  });

  test.each([
    'Call (555) 123-4567.',
    'What is f(x)?',
    '2 * 3 * 4',
    '5 < 6 and 7 > 6',
    'half [1, 2]',
    'What is 5 * x * 2?',
    '-5 degrees',
  ])('is not found in %s', (text) => {
    expect(withoutMarks(text)).toBe(text);
  });

  test('is dropped from words with times', () => {
    const words = ['(upbeat', 'music)', 'Stop', 'it', '*coughs*'].map((text, at) => ({
      text,
      startS: at,
      endS: at + 1,
    }));

    expect(wordsWithoutMarks(words)).toEqual([
      { text: 'Stop', startS: 2, endS: 3 },
      { text: 'it', startS: 3, endS: 4 },
    ]);
  });

  test('is dropped from every part of a transcription', () => {
    const { transcription } = readTranscription({
      text: '[BLANK_AUDIO] Stop.',
      segments: [{ text: ' [BLANK_AUDIO]' }, { text: ' Stop.' }],
      words: [
        { word: ' [BLANK_AUDIO]', start: 0, end: 1 },
        { word: ' Stop.', start: 1, end: 2 },
      ],
      hearth: { alternatives: [{ text: '(music) Step.' }] },
    });

    expect(transcription).toMatchObject({
      text: 'Stop.',
      segments: [{ text: '' }, { text: 'Stop.' }],
      words: [{ text: 'Stop.', startS: 1, endS: 2 }],
      alternatives: [{ text: 'Step.' }],
    });
  });
});
