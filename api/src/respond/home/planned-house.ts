import type { HomeTalk } from './home-control.ts';
import type { HomeAsk, HomeResult } from './home-result.ts';
import { shutting } from './opens-up.ts';

/** A command to the house within a text. */
export interface PlannedCommand {
  text: string;
  /** '' if the language does not define it. */
  intent: string;
  /** The words for its target, or ''. */
  target: string;
}

/** The house, for commands that run later. It reads a text anew each time, because the house may change. */
export interface PlannedHouse {
  /** Whether a text is for the house. Null: it is not. */
  kindOf(text: string, ask: HomeAsk): Promise<'command' | 'question' | null>;
  /** The commands in a text, with references resolved. Null: some part is no command. */
  commandsIn(text: string, ask: HomeAsk): Promise<readonly PlannedCommand[] | null>;
  /** Runs a text without references. Null: the house does not understand it. */
  run(text: string, ask: HomeAsk): Promise<HomeResult | null>;
  /** Runs the commands in a text, with references resolved. Null: some part is no command. */
  runSaid(text: string, ask: HomeAsk): Promise<HomeResult | null>;
  /** Whether a text may let someone in, or this is unknown. */
  opensUp(text: string, ask: HomeAsk): Promise<boolean>;
}

type Control = Pick<HomeTalk, 'read' | 'commandsIn' | 'answer' | 'opensUp' | 'withAllNames'>;

/** The house in a language with a grammar of the house. */
export function createPlannedHouse(control: Control): PlannedHouse {
  return {
    async kindOf(text) {
      const understood = await control.read(text);
      if (understood.length === 0) return null;
      return understood.every(({ kind }) => kind !== 'question') ? 'command' : 'question';
    },
    commandsIn: control.commandsIn,
    run: (text, ask) => {
      const asking = { ...ask, turn: { ...ask.turn, text } };
      return control.withAllNames(async () => await control.answer(await control.read(text), asking), asking);
    },
    runSaid: (text, ask) =>
      control.withAllNames(async () => {
        const known = await control.commandsIn(text, ask);
        return known && (await control.answer(known, ask));
      }, ask),
    async opensUp(text, ask) {
      const understood = await control.read(text);
      const onlyShuts = understood.length > 0 && understood.every(({ intent }) => shutting.has(intent));
      return !onlyShuts && (await control.opensUp(text, ask));
    },
  };
}
