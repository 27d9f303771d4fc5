import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createActionNotes } from '../actions/action-notes.ts';
import { createActionStore } from '../actions/action-store.ts';
import { createForget } from '../actions/forget-conversation.ts';
import { createLastCommand } from '../actions/last-command.ts';
import { createPendingQuestions } from '../actions/pending-questions.ts';
import { createToldJokes } from '../actions/told-jokes.ts';
import type { Erase } from '../conversations/erasure.ts';
import { listActionSchema } from '../lists/list-action.ts';
import { createListStore } from '../lists/list-store.ts';
import { calendarActionSchema, calendarQuestionSchemas } from '../respond/calendar/calendar-records.ts';
import type { Action, HouseholdActions } from '../respond/core/household-actions.ts';
import type { HouseholdQuestions } from '../respond/core/household-questions.ts';
import { asOfToday } from '../respond/core/old-actions.ts';
import { homeActionSchemas, homeQuestionSchemas } from '../respond/home/home-records.ts';
import { laterQuestionSchema } from '../respond/later/later-asks.ts';
import { mcpActionSchema, mcpQuestionSchema, toolQuestionSchema } from '../respond/model/tool-records.ts';
import { routineQuestionSchema } from '../respond/routines/routine-asks.ts';
import {
  announcementActionSchema,
  announcementQuestionSchema,
  announcementTextQuestionSchema,
} from '../respond/skills/announce/announce-asks.ts';
import { helpQuestionSchema } from '../respond/skills/help-skill.ts';
import { listQuestionSchemas } from '../respond/skills/lists/list-asks.ts';
import { speedActionSchema } from '../respond/skills/self-skill.ts';
import { speakerActionSchema, speakerQuestionSchema } from '../respond/skills/speaker-skill.ts';
import { timerQuestionSchemas } from '../respond/skills/timers/timer-asks.ts';
import { createSpeakerStore } from '../speakers/speaker-store.ts';
import { createCheckLog } from '../status/check-log.ts';
import { createSatellitesThere } from '../timers/satellites-there.ts';
import { createStopwatches, stopwatchActionSchema } from '../timers/stopwatch.ts';
import { timerActionSchema } from '../timers/timer-action.ts';

/** Every action that can be reported and undone. For a new kind, add a schema beside its code and list it. */
const actionSchema = z.preprocess(
  asOfToday,
  z.discriminatedUnion('kind', [
    listActionSchema,
    timerActionSchema,
    stopwatchActionSchema,
    speakerActionSchema,
    speedActionSchema,
    announcementActionSchema,
    ...homeActionSchemas,
    calendarActionSchema,
    mcpActionSchema,
  ]),
);

/** Every question that the assistant asks back. For a new kind, add a schema beside its code and list it. */
const questionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('doubt'), text: z.string() }),
  ...listQuestionSchemas,
  ...timerQuestionSchemas,
  announcementQuestionSchema,
  announcementTextQuestionSchema,
  helpQuestionSchema,
  ...homeQuestionSchemas,
  ...calendarQuestionSchemas,
  laterQuestionSchema,
  routineQuestionSchema,
  speakerQuestionSchema,
  toolQuestionSchema,
  mcpQuestionSchema,
]);

/** Actions and questions of conversations, of all kinds. */
export function createHouseholdRecords({ redis }: { redis: Redis }) {
  const actions: HouseholdActions = createActionStore({ redis, schema: actionSchema });
  const pendingQuestions: HouseholdQuestions = createPendingQuestions({ redis, schema: questionSchema });
  return {
    actions,
    pendingQuestions,
    notes: createActionNotes<Action>({ redis }),
    last: createLastCommand({ redis }),
  };
}

interface SkillStoreOptions {
  redis: Redis;
  /** The household's monotonic time in ms. */
  steady?: () => number;
  /** Deletes further copies of forgotten words. */
  erase?: Erase;
}

/** The stores that the skills of a household read and write. */
export function createSkillStores(options: SkillStoreOptions) {
  const { redis, steady = Date.now, erase = async () => undefined } = options;
  return {
    ...createHouseholdRecords({ redis }),
    ownLists: createListStore({ redis }),
    there: createSatellitesThere({ redis }),
    stopwatches: createStopwatches({ redis }),
    toldJokes: createToldJokes({ redis }),
    speakers: createSpeakerStore({ redis, steady }),
    checks: createCheckLog({ redis }),
    forget: createForget({ redis, erase }),
  };
}
