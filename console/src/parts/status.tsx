import type { Health, House } from '../house.ts';

interface Told {
  mood: 'well' | 'busy' | 'ill';
  words: string;
}

/** At a glance: is all well? */
export function Status({ house }: { house: House }) {
  const { value, trouble } = house.health.state.value;
  const { mood, words } = tellHealth(value, trouble);
  return (
    <p class={`status ${mood}`} role="status">
      <span class="lamp" aria-hidden="true" />
      <span>{words}</span>
    </p>
  );
}

const names = { llm: 'language model', stt: 'speech recognition', tts: 'voice' };

export function tellHealth(health: Health | null, trouble: string | null): Told {
  if (trouble !== null) return { mood: 'ill', words: trouble };
  if (!health) return { mood: 'busy', words: 'One moment' };
  if (health.status === 'ready') return { mood: 'well', words: 'All is well' };
  if (health.redis?.state === 'failed') return { mood: 'ill', words: health.redis.reason ?? 'Redis is down' };
  if (health.workers === 0) return { mood: 'ill', words: 'No worker is running' };
  for (const [key, name] of Object.entries(names)) {
    const engine = Object.entries(health.engines ?? {}).find(([engineName]) => engineName === key)?.[1];
    if (engine?.state === 'failed') return { mood: 'ill', words: `The ${name} is down` };
    if (engine?.state === 'downloading') return { mood: 'busy', words: `The ${name} is being downloaded` };
    if (engine?.state === 'starting' || engine?.state === 'loading')
      return { mood: 'busy', words: `The ${name} is starting` };
  }
  return { mood: 'busy', words: 'Starting' };
}
