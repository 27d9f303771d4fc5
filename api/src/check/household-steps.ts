import { type HouseholdClock, machineClock } from '../redis/household-clock.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import type { Timer } from '../timers/timer.ts';
import { nowOf } from '../timers/timer-time.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import type { LanguageModels } from './language-models.ts';
import { type Finding, failed, fine, type Step, skipped, warning } from './step.ts';

interface HouseholdStepsOptions {
  files: ModelFilesWatch;
  languageModels: Pick<LanguageModels, 'find'>;
  /** Number of satellites connected to any process. */
  satellites: () => number;
  /** Null if the household has none. */
  home: { workerCalls: Pick<WorkerCalls, 'home'> } | null;
  timers: { all(): Promise<readonly (Pick<Timer, 'dueAt' | 'counts'> & { state: string })[]> };
  clock?: HouseholdClock;
}

/** The timer sweep finds a timer without a job within seconds. */
const maxLateMs = 20_000;
const homeMs = 10_000;

/** Checks the household's models, satellites, timers and Home Assistant. */
export function householdSteps({
  files,
  languageModels,
  satellites,
  timers,
  home,
  clock = machineClock,
}: HouseholdStepsOptions): Step[] {
  const models = async (): Promise<Finding> => {
    const { progress, selection } = files.current;
    const lost = progress?.models.find(({ state }) => state === 'failed');
    if (lost) {
      return failed(
        `The model ${lost.id} could not be downloaded: ${lost.reason ?? 'no reason given.'}`,
        'Run "make models" to try again.',
      );
    }
    const coming = progress?.models.find(({ state }) => state !== 'ready');
    if (coming) {
      const percent = Math.floor((100 * coming.bytesDone) / Math.max(1, coming.bytesTotal));
      return warning(
        `The model ${coming.id} is being downloaded: ${percent} %.`,
        'Wait until the download is complete.',
      );
    }
    if (!selection) return skipped('The models are stored elsewhere.');
    const note = selection.note ? ` ${selection.note}` : '';
    return fine(`The models of size ${selection.size} are complete.${note}`);
  };

  const rooms = async (): Promise<Finding> => {
    const count = satellites();
    if (count === 0) return skipped('None is connected.');
    return fine(count === 1 ? 'One is connected.' : `${count} are connected.`);
  };

  const house = async (signal: AbortSignal): Promise<Finding> => {
    if (!home) return skipped('None is configured.');
    await home.workerCalls.home({ withinMs: homeMs, signal });
    return fine('It answers, and lists what is in the house.');
  };

  const ringing = async (): Promise<Finding> => {
    const all = await timers.all();
    const late = all.filter(
      (timer) => timer.state === 'running' && nowOf(timer, clock) - timer.dueAt > maxLateMs,
    );
    if (late.length > 0) {
      const count = late.length === 1 ? 'A timer has' : `${late.length} timers have`;
      return failed(`${count} not rung in time.`, 'Look at the lines of "worker" in "make logs".');
    }
    if (all.length === 0) return fine('None is set.');
    return fine(
      all.length === 1 ? 'One is set, and it is not late.' : `${all.length} are set, and none is late.`,
    );
  };

  return [
    { name: 'models', title: 'The models', limitMs: 3_000, look: models },
    { name: 'languages', title: 'The languages', limitMs: 3_000, look: async () => languageModels.find() },
    { name: 'satellites', title: 'The satellites', limitMs: 3_000, look: rooms },
    { name: 'timers', title: 'The timers', limitMs: 3_000, needs: ['redis'], look: ringing },
    {
      name: 'home',
      title: 'Home Assistant',
      limitMs: homeMs + 2_000,
      needs: ['redis', 'workers'],
      advice:
        'Check whether it is running, and see whether its address and token are right: on the page under Settings, or in secrets.env (docs/home-assistant.md).',
      look: house,
    },
  ];
}
