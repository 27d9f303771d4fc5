import { createActionNotes } from '../../../api/src/actions/action-notes.ts';
import { createIdempotencyGuard } from '../../../api/src/actions/idempotency-guard.ts';
import { createMcpServers } from '../../../api/src/engines/mcp-servers.ts';
import type { Responder } from '../../../api/src/respond/core/responder.ts';
import { createAgreedSkill } from '../../../api/src/respond/model/asks-first.ts';
import { createHouseholdTools } from '../../../api/src/respond/model/household-tools.ts';
import { createMcpTools } from '../../../api/src/respond/model/mcp-tools.ts';
import type { Tool } from '../../../api/src/respond/model/tool.ts';
import { effectivePipeline } from '../../../api/src/settings/pipeline.ts';
import { homeToken, startFakeHome } from '../fakes/fake-home.ts';
import { startFakeLlm } from '../fakes/fake-llm.ts';
import { startHostileMcp } from '../fakes/hostile-mcp.ts';
import { createLanguageModel, toolWords } from '../language-model.ts';
import { englishSkills, question } from '../skills.ts';
import { waitFor } from '../wait-for.ts';
import { openHouse } from './house.ts';
import { connectTo, startRedis } from './own-redis.ts';

interface ToolHouseholdOptions {
  contextTokens: number;
  /** A third-party server by its configured name, with its tools and the household's settings for them. */
  server: string;
  tools: Parameters<typeof startHostileMcp>[0];
  acts: Record<string, string>;
}

export type ToolHousehold = Awaited<ReturnType<typeof startToolHousehold>>;

/** Everything through which a model can do harm: skills, a home with a lock, and tools. */
export async function startToolHousehold({ contextTokens, server, tools, acts }: ToolHouseholdOptions) {
  const [store, llm, fake, box] = await Promise.all([
    startRedis(),
    startFakeLlm({ tools: true, contextTokens }),
    startFakeHome(),
    startHostileMcp(tools),
  ]);
  const redis = await connectTo(store.url);
  const house = await openHouse({ redis, url: fake.url, token: homeToken });
  let own: readonly Tool[] = [];
  const agreed = createAgreedSkill({ tools: () => own, say: toolWords.say });
  const household = englishSkills(redis, [house.home.skill, agreed]);
  const mcp_servers = JSON.stringify([{ name: server, url: box.url, acts }]);
  const settings = effectivePipeline({ mcp_servers }, {}).values;
  const servers = createMcpServers({ servers: () => settings.mcp_servers, onChange: () => undefined });
  const mcp = createMcpTools({
    servers,
    pendingQuestions: household.pendingQuestions,
    isFirstAttempt: createIdempotencyGuard({ redis }),
    notes: createActionNotes({ redis }),
    say: toolWords.say,
  });
  own = createHouseholdTools({
    household,
    home: house.home.control,
    timeZone: 'Europe/London',
    words: toolWords,
  });
  const languageModel = createLanguageModel({
    redis,
    url: llm.url,
    tools: () => [...own, ...mcp.tools(settings)],
  });
  servers.follow();
  await house.known();
  await waitFor(() => servers.states().some((state) => state.tools.length > 0));

  return {
    redis,
    llm,
    fake,
    /** The third-party server. */
    box,
    household,
    languageModel,
    /** All responders, in order. */
    everybody: (): Responder[] => [household.responder, house.home.responder, languageModel.responder],
    /** Restores the initial state, then says these sentences to the skills. */
    async furnish(seeds: readonly string[]): Promise<void> {
      await redis.flushall();
      fake.forget();
      // Neither on nor off, neither open nor closed, so that any change is visible.
      fake.sets('light.kitchen_counter', 'on');
      fake.sets('cover.blinds', 'half open');
      for (const seed of seeds) await household.responder.respond(question(seed));
      box.used.length = 0;
    },
    async stop(): Promise<void> {
      await servers.stop();
      await languageModel.close();
      await house.close();
      await box.stop();
      await fake.stop();
      redis.disconnect();
      await llm.stop();
      await store.stop();
    },
  };
}
