/** The legal moves of a state machine. A state without one is an end. */
export type Moves<State extends string> = Readonly<Record<State, readonly State[]>>;

export interface Machine<State extends string> {
  readonly state: State;
  /** Makes a move. False: it is none of the table, and nothing has changed. */
  move(to: State): boolean;
}

/** A state that changes by the moves of a table and in no other way. */
export function createMachine<State extends string>(moves: Moves<State>, first: State): Machine<State> {
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
