/** The legal transitions of a state machine. A state without any is final. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

interface Machine<State extends string> {
  readonly state: State;
  /** Makes a transition. False: it is not in the table, and the state is unchanged. */
  move(to: State): boolean;
}

/** A state machine that only allows the transitions of its table. */
export function createMachine<State extends string>(moves: Transitions<State>, first: State): Machine<State> {
  let state = first;
  return {
    get state() {
      return state;
    },
    move(to) {
      if (!moves[state].includes(to)) return false;
      state = to;
      return true;
    },
  };
}
