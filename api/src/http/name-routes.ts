import type { Handlers } from './contract-routes.ts';

interface NameRoutesOptions {
  judge: (said: { name: string; heard: string[] }) => {
    judgement: 'known' | 'learned' | 'unsteady';
    found: number;
    spellings: string[];
  };
}

/** What the household wants to call the assistant, and how well that is heard. */
export function nameRoutes({ judge }: NameRoutesOptions): Pick<Handlers, 'judgeName'> {
  return { judgeName: ({ body }) => judge(body) };
}
