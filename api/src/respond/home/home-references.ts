import type { LastCommand, SaidOfHouse } from '../../actions/last-command.ts';
import type { HomeAsk } from './home-result.ts';
import { serviceFor } from './home-services.ts';
import type { House } from './house.ts';
import type { HomeGrammar } from './understand/home-grammar.ts';
import {
  type HouseCommand,
  isHouseCommand,
  type Understood,
  type UnderstoodReference,
} from './understand/understood.ts';

interface HomeReferencesOptions {
  grammar: HomeGrammar;
  house: Pick<House, 'areaOf' | 'roomOf'>;
  last: Pick<LastCommand, 'read'>;
}

/** Completes commands that refer to the last one: "turn it off", "brighter", "and the bedroom". */
export function createHomeReferences({ grammar, house, last }: HomeReferencesOptions) {
  const referred = (understood: UnderstoodReference, before: SaidOfHouse): Understood | null => {
    const command = grammar.referring(understood, before);
    const isWhole = understood.intent === 'follow' || understood.isUnknown;
    return command && isHouseCommand(command) && !isWhole ? forThings(command, before) : command;
  };
  /** "Brighter" and "the kitchen one" after a command. */
  const continued = (understood: HouseCommand, before: SaidOfHouse, room: string | null): HouseCommand => {
    const command = ofSameKind(understood, before) ?? understood;
    if (understood.isUnknown) return command;
    return forThings(command, { ...before, things: thingsNear(before, room) });
  };

  /** After a command to several rooms, a step without "it" or "them" is only for the speaker's room. */
  const thingsNear = ({ things }: SaidOfHouse, spokenIn: string | null): SaidOfHouse['things'] => {
    const room = house.areaOf(spokenIn);
    const near = things.filter(({ id }) => room !== null && house.roomOf(id) === room);
    return near.length > 0 ? near : things;
  };

  const ofSameKind = ({ text }: HouseCommand, before: SaidOfHouse): HouseCommand | null => {
    const other = grammar.ofSameKind(text, before);
    const [command, ...others] = other === null ? [] : grammar.read(other);
    return command && isHouseCommand(command) && others.length === 0 ? command : null;
  };

  const completed = async (
    understood: HouseCommand | UnderstoodReference,
    { turn, exchanges }: HomeAsk,
  ): Promise<Understood | null> => {
    const { kind, intent, area } = understood;
    const before = await last.read(turn.conversation);
    if (!before) return kind === 'reference' ? grammar.withoutLast(understood) : understood;
    // A bare "red" later on, or after a question, is for something else, and so is "and the lamp".
    const isOfLast = intent === 'refer_set' || (intent === 'follow' && area === '');
    if (isOfLast && !isJustSaid(before, exchanges)) return null;
    return kind === 'reference' ? referred(understood, before) : continued(understood, before, turn.room);
  };

  /** The whole command. Null: there is no recent command to refer to. */
  return async (understood: HouseCommand | UnderstoodReference, ask: HomeAsk): Promise<Understood | null> => {
    const { conversation } = ask.turn;
    if (grammar.leavesLast(understood)) return exceptLast(understood, await last.read(conversation));
    return grammar.mayRefer(understood) ? await completed(understood, ask) : understood;
  };
}

/** Whether the last sentence of the conversation was this command. */
function isJustSaid({ text, turn }: SaidOfHouse, exchanges: HomeAsk['exchanges']): boolean {
  const last = exchanges?.at(-1)?.turn;
  return text !== '' && last !== undefined && (turn === last || turn.startsWith(`${last}/`));
}

/** The same command for the last things, if it can be carried out for each of them. */
function forThings(command: HouseCommand, { things, target }: SaidOfHouse): HouseCommand {
  const isPossible = ({ id }: { id: string }) =>
    serviceFor(command.intent, id, { number: 0, text: '-' }) !== null;
  // "The kitchen lights" already says which ones.
  if (command.isPlaced || things.length === 0 || !things.every(isPossible)) return command;
  return forChoice(command, { things, target });
}

/** "Turn off everything else": all but the things of the last command. Without one, it asks. */
function exceptLast(command: HouseCommand | UnderstoodReference, before: SaidOfHouse | null): Understood {
  if (command.kind !== 'command') return command;
  const exceptIds = before?.things.map(({ id }) => id) ?? [];
  if (exceptIds.length > 0) return { ...command, reach: { by: 'exception', except: [], exceptIds } };
  return { ...command, kind: 'unclear', asks: 'except_what', lacking: null };
}

/** The same command for exactly these things. */
export function forChoice(
  command: HouseCommand,
  { things, target }: { things: readonly { id: string }[]; target: string },
): HouseCommand {
  if (command.kind === 'unclear') return command;
  return { ...command, target, reach: { by: 'choice', ids: things.map(({ id }) => id) } };
}
