import { z } from 'zod';
import type { Household } from '../household.ts';

const timersSchema = z.object({
  timers: z.array(
    z.object({ id: z.string(), label: z.string().nullable(), duration_seconds: z.number().nullable() }),
  ),
});
const listsSchema = z.object({
  lists: z.array(z.object({ key: z.string(), items: z.array(z.object({ text: z.string() })) })),
});

/** Reads the visible effects of sentences in a household, and removes them. */
export function householdActs({ api, signal }: Household) {
  const send = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const ask = () => fetch(`${api.url}${path}`, { ...init, signal });
    const first = await ask();
    // The machine may be too busy for a moment.
    const answer = first.status === 503 ? await ask() : first;
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  };
  const timers = async () => timersSchema.parse(await send('/admin/timers')).timers;
  const lists = async () => listsSchema.parse(await send('/admin/lists')).lists;
  return {
    /** Running timers and list items, one word each. */
    async done(): Promise<string[]> {
      const [running, written] = await Promise.all([timers(), lists()]);
      return [
        ...running.map((timer) => `timer ${timer.label ?? ''} ${timer.duration_seconds}`),
        ...written.flatMap(({ key, items }) => items.map(({ text }) => `${key}: ${text.toLowerCase()}`)),
      ].toSorted();
    },
    /** Leaves only a running pasta timer. */
    async begin({ hasTimer }: { hasTimer: boolean }): Promise<void> {
      for (const { id } of await timers()) await send(`/admin/timers/${id}`, { method: 'DELETE' });
      for (const { key } of await lists())
        await send(`/admin/lists/${encodeURIComponent(key)}`, { method: 'DELETE' });
      if (!hasTimer) return;
      const body = JSON.stringify({ kind: 'timer', duration_seconds: 900, label: 'pasta' });
      await send('/admin/timers', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    },
    change: (settings: Record<string, unknown>) =>
      send('/admin/pipeline', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      }),
  };
}
