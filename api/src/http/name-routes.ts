import type { Handlers } from './contract-routes.ts';

interface NameRoutesOptions {
  judge: (said: { name: string; heard: string[] }) => {
    judgement: 'known' | 'learned' | 'unsteady';
    found: number;
    spellings: string[];
  };
}

/** Judges how well speech recognition hears a name for the assistant. */
export function nameRoutes({ judge }: NameRoutesOptions): Pick<Handlers, 'judgeName'> {
  return { judgeName: ({ body }) => judge(body) };
}
