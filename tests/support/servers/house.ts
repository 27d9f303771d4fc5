import type { Redis } from 'ioredis';
import type { Exchange } from '../../../api/src/conversations/exchange.ts';
import { createEngineClient } from '../../../api/src/engines/engine-client.ts';
import { connectHome, type homeLimits } from '../../../api/src/engines/home-client.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';
import type { Question } from '../../../api/src/respond/core/responder.ts';
import { replyOf } from '../../../api/src/respond/core/skill.ts';
import { createHome } from '../../../api/src/respond/home/home.ts';
import { watchHouse } from '../../../api/src/respond/home/house.ts';
import { createUndoSkill } from '../../../api/src/respond/skills/undo-skill.ts';
import { createHouseholdRecords } from '../../../api/src/wiring/household-stores.ts';
import { type Asked, question } from '../skills.ts';
import { waitFor } from '../wait-for.ts';

interface HouseOptions {
  redis: Redis;
  url: string;
  token: string;
  limits?: typeof homeLimits;
}

/** Home Assistant as the worker knows it, and a conversation with it. */
export async function openHouse({ redis, ...server }: HouseOptions) {
  const language = loadLanguage({ folder: new URL('../../../api/languages/en/', import.meta.url) });
  const http = createEngineClient('home');
  const told: unknown[] = [];
  const note = (...line: unknown[]) => void told.push(line);
  const records = createHouseholdRecords({ redis });
  const connection = connectHome({ ...server, http });
  const house = watchHouse({ client: connection, onFailure: (trouble) => note({ trouble }) });
  const home = createHome({
    timeZone: 'Europe/London',
    client: connection.inLanguage('en'),
    house,
    language,
    pendingQuestions: records.pendingQuestions,
    notes: records.notes,
    last: records.last,
    log: { info: note, warn: note },
  });
  const undo = createUndoSkill({
    files: language.files,
    timeZone: 'Europe/London',
    skills: [home.skill],
    actions: records.actions,
    pendingQuestions: records.pendingQuestions,
    quiet: async () => null,
    cancelTimers: async () => null,
    cancelTold: async () => null,
  });
  const exchanges: Exchange[] = [];

  const ask = async (
    text: string,
    turn: Asked = {},
    more: Partial<Question> = {},
  ): Promise<string | null> => {
    const asked = { ...question(text, turn, [...exchanges]), ...more };
    const answer = await home.responder.respond(asked);
    if (answer) exchanges.push({ user: text, assistant: answer.text, turn: asked.turn.id });
    return answer?.text ?? null;
  };
  const skill = async (intent: 'undo' | 'last'): Promise<string | null> => {
    return await replyOf(undo, intent, question('undo that'));
  };

  return {
    home,
    /** The logged lines. */
    told,
    ask,
    undo: () => skill('undo'),
    whatWasDone: () => skill('last'),
    /** Waits until the rooms of the home are known. */
    known: () => waitFor(() => home.names().rooms.length > 0, { what: 'the rooms are known' }),
    async close() {
      house.stop();
      connection.close();
      await http.close();
    },
  };
}
