import type { Grammar } from '../../language/grammar/grammar.ts';
import type { LanguageFiles } from '../../language/language.ts';
import { joined } from '../../language/phrase.ts';
import { type Routine, stepsOf } from '../../settings/routine.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { ended } from '../core/part.ts';
import { type DryRunResponder, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import type { Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import type { HomeTalk } from '../home/home-control.ts';
import { createOpeningSteps } from './opening-steps.ts';
import { createRoutineSentences, type FoundRoutine, type RoutineSentences } from './routine-sentences.ts';
import { routinesShape, type SayRoutine } from './routines-shape.ts';
import { createRunRoutine, type RoutineLimits } from './run-routine.ts';

interface RoutinesOptions {
  files: LanguageFiles;
  grammar: Grammar;
  pendingQuestions: HouseholdQuestions;
  /** The responders for steps, in order. */
  responders: readonly Responder[];
  /** Null: no house is connected. */
  home: {
    control: Pick<HomeTalk, 'read' | 'answer' | 'opensUp' | 'namesUnknown'>;
    responder: DryRunResponder;
  } | null;
  /** Asks back about doubtful words. */
  askBack: Responder;
  limits?: RoutineLimits;
}

interface Routines {
  /**
   * Starts and describes routines. It comes before the skills: "good night" is a greeting only if no routine
   * has that name.
   */
  responder: Responder;
  sentences: RoutineSentences;
}

/** The household's routines: one sentence runs several steps in order. */
export function createRoutines(options: RoutinesOptions): Routines {
  const { files, grammar, pendingQuestions, responders, home, askBack, limits } = options;
  const { reply, sentencesOf, words } = loadSkill(files, 'routines', routinesShape);
  const sentences = createRoutineSentences({ grammar, sentencesOf });
  const run = createRunRoutine({
    responders,
    pendingQuestions,
    opensUp: createOpeningSteps({ control: home?.control ?? null, responder: home?.responder ?? null }),
    awaitNames: async (question) => (await home?.control.namesUnknown(question)) ?? null,
    reply,
    and: words.and,
    ...(limits && { limits }),
  });

  const describe = (found: FoundRoutine, { turn, settings: { routines } }: Question): string => {
    if (found.routine) return contents(found.routine, { reply, next: words.next, turn });
    if (routines.length === 0) return reply('none', {}, turn);
    const between = { between: words.and, last: words.and };
    return reply(
      'names',
      {
        names: joined(
          routines.map(({ name }) => name),
          between,
        ),
      },
      turn,
    );
  };

  return {
    sentences,
    responder: {
      name: 'skills',
      async respond(question) {
        const { turn, settings } = question;
        const found = sentences.find(turn.text, settings.routines);
        if (!found) return null;
        if (found.intent === 'start' && found.routine) {
          return turn.isSure ? plainAnswer(await run(found.routine, question)) : askBack.respond(question);
        }
        const text = describe(found, question);
        question.say(text);
        return plainAnswer(text);
      },
    },
  };
}

interface Telling {
  reply: SayRoutine;
  next: string;
  turn: Question['turn'];
}

/** "Good night: turn off all lights, then I say, Sleep well." */
function contents(routine: Routine, { reply, next, turn }: Telling): string {
  const steps = stepsOf(routine).map(({ kind, text }) => {
    const plain = text.replace(/[.!?]+$/, '');
    return kind === 'say' ? reply('contents_say', { text: plain }, turn) : plain;
  });
  return reply('contents', { name: routine.name, steps: joined(steps, { between: next, last: next }) }, turn);
}

interface AgreedOptions {
  files: LanguageFiles;
  control: Pick<HomeTalk, 'read' | 'answer'> | null;
}

/** Runs the steps that may let someone in after a yes. The household writes the sentences. */
export function createRoutinesSkill({ files, control }: AgreedOptions): Skill {
  const { reply, help } = loadSkill(files, 'routines', routinesShape);
  return {
    name: 'routines',
    help,
    sentences: {},
    intents: {},
    onYes: {
      async 'routine.open'({ texts }, ask) {
        const said: string[] = [];
        for (const [at, text] of texts.entries()) {
          const turn = { ...ask.turn, id: `${ask.turn.id}/${at + 1}`, text };
          const result = control && (await control.answer(await control.read(text), { ...ask, turn }));
          said.push(ended(result?.text ?? reply('not_understood', { what: text }, turn)));
        }
        return said.join(' ');
      },
    },
  };
}
