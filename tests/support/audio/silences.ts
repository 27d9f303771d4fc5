import type { Silences } from '../../../api/src/audio/endpointer.ts';
import { silencesFor } from '../../../api/src/listen/utterance/end-silences.ts';

/** The silences that end an utterance for a household's chosen value, in ms. */
export const silencesAfter = (chosenMs = 600): Silences =>
  silencesFor({ chosenMs, patience: 'normal', habit: null });
