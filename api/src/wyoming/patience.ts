import type { Patience } from '../listen/utterance/end-silences.ts';

/** How the household lets the words decide when a sentence is over. */
interface EndsOfSpeech {
  patience: Patience;
  endsEarly: boolean;
  waitsForMore: boolean;
}

/**
 * Applies the client's `vad_sensitivity` (Home Assistant 2026.11 sends none). `relaxed` never ends early: the
 * client does not listen any more, so later words would be lost.
 */
export function endsOfSpeech(household: EndsOfSpeech, sensitivity: string | null | undefined): EndsOfSpeech {
  if (sensitivity === 'relaxed') return { ...household, patience: 'patient', endsEarly: false };
  return sensitivity === 'aggressive' ? { ...household, patience: 'quick' } : household;
}
