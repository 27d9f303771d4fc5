import { t } from '../../language/translate.ts';
import type { TurnRecord } from './waterfall.ts';

/** Number of turns that the picture shows. */
const maxMarks = 50;
/** Number of colours. Further machines share the last one. */
const maxColours = 4;

interface MachineMark {
  turn: string;
  /** Its class, and so its colour. */
  kind: string;
}

interface MachineShare {
  words: string;
  kind: string;
  count: number;
}

/** The machine of its language model, else of its transcript. Undefined: it needed no model. */
function machineOf({ ran_on: ranOn = [] }: Partial<TurnRecord>): string | null | undefined {
  return (ranOn.find(({ engine }) => engine === 'llm') ?? ranOn[0])?.machine;
}

/** The machines of the last turns, oldest first. Null: no other machine has worked. */
export function machineMarks(turns: readonly TurnRecord[]) {
  const last = turns.slice(0, maxMarks).toReversed();
  const machines = last.map(machineOf);
  const others = [...new Set(machines.filter((each) => typeof each === 'string'))].toSorted();
  if (others.length === 0) return null;
  const kindOf = (machine: string | null | undefined): string => {
    if (machine === undefined) return 'machine-none';
    return machine === null ? 'machine-own' : `machine-${Math.min(maxColours, others.indexOf(machine) + 1)}`;
  };
  const shares = [null, ...others, undefined].map(
    (machine): MachineShare => ({
      words: machine ?? (machine === null ? t('This machine') : t('No model was needed')),
      kind: kindOf(machine),
      count: machines.filter((each) => each === machine).length,
    }),
  );
  return {
    marks: last.map(({ id }, index): MachineMark => ({ turn: id, kind: kindOf(machines[index]) })),
    shares: shares.filter(({ count }) => count > 0),
  };
}
