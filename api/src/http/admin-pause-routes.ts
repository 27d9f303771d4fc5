import type { CutOffs } from '../listen/playback/cut-offs.ts';
import { type Patience, patientMs, silencesFor } from '../listen/utterance/end-silences.ts';
import type { PauseStore } from '../listen/utterance/pause-store.ts';
import { habitOf } from '../listen/utterance/spoken-pauses.ts';
import { compareNames } from '../name-order.ts';
import type { Handlers } from './contract-routes.ts';

interface PauseRoutesOptions {
  pauses: Pick<PauseStore, 'all' | 'forget'>;
  cutOffs: Pick<CutOffs, 'now'>;
  settings: () => { end_silence_ms: number; patience: Patience };
}

type PauseHandlers = Pick<Handlers, 'listPauses' | 'forgetPauses'>;

/** Shows and deletes the learned speech pauses of each satellite, and shows who was cut off. */
export function adminPauseRoutes({ pauses, cutOffs, settings }: PauseRoutesOptions): PauseHandlers {
  return {
    async listPauses() {
      const { end_silence_ms, patience } = settings();
      const chosenMs = patientMs(end_silence_ms, patience);
      const all = [...(await pauses.all())].toSorted(([one], [other]) => compareNames(one, other));
      return {
        end_silence_ms: chosenMs,
        cut_offs: cutOffs.now(),
        satellites: all.map(([client, known]) => {
          const habit = habitOf(known);
          const { ordinary } = silencesFor({ chosenMs, patience, habit });
          return {
            client,
            sentences: known.length,
            pause_ms: habit?.pauseMs ?? null,
            end_silence_ms: ordinary,
          };
        }),
      };
    },

    async forgetPauses({ path: { client } }) {
      return { client, forgotten: await pauses.forget(client) };
    },
  };
}
