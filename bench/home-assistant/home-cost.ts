import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startHousehold } from '../household.ts';
import { alternate, roundTo } from '../measure.ts';
import type { Part } from '../part.ts';
import { givenHome } from './home-line.ts';

const rounds = 30;
const callsInRow = 4;
/** Time on top of Home Assistant's own answer to the same words, in ms. */
const maxMs = 6;

/** A command to the house through Hearth, beside the same words sent to Home Assistant directly. */
export const homeCostPart: Part = {
  name: 'home-cost',
  async run({ folder, signal }) {
    if (givenHome === null) {
      const text = 'A command to the house: skipped, it needs HOME_ASSISTANT_URL and HOME_ASSISTANT_TOKEN';
      return { text, figures: null, missed: [] };
    }
    const { url, token } = givenHome;
    const own = join(folder, 'home-cost');
    mkdirSync(own);
    const house = await startHousehold({ folder: own, signal, home: givenHome });
    const agent = new Agent({ connections: 4, pipelining: 1 });
    const post = async (to: string, body: object, headers: Record<string, string> = {}): Promise<string> => {
      const answer = await request(to, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal,
      });
      return await answer.body.text();
    };
    let calls = 0;
    const words = () => {
      calls += 1;
      return `turn ${calls % 2 === 0 ? 'on' : 'off'} the kitchen ceiling`;
    };
    const itself = async (): Promise<void> => {
      const text = await post(
        `${url}/api/conversation/process`,
        { text: words(), language: 'en' },
        { authorization: `Bearer ${token}` },
      );
      if (!text.includes('action_done')) throw new Error(`unexpected answer: ${text}`);
    };
    const through = async (caller: number): Promise<void> => {
      const text = await post(`${house.api.url}/ask`, { text: words(), client: `cost-${caller}` });
      if (!/Turned (on|off)/.test(text)) throw new Error(`unexpected answer: ${text}`);
    };
    const plain = async (caller: number): Promise<void> => {
      await post(`${house.api.url}/ask`, { text: 'What is two plus two?', client: `cost-${caller}` });
    };
    try {
      // Hearth learns the names of the house first.
      for (let tries = 0; tries < 40; tries += 1) {
        const ready = await through(0).then(
          () => true,
          () => false,
        );
        if (ready) break;
        await delay(250);
      }
      const [alone, hearth, skill] = await alternate([itself, through, plain], {
        callers: 1,
        rounds,
        callsInRow,
      });
      if (!alone || !hearth || !skill) throw new Error('no measurement');
      const onTop = roundTo(hearth.medianMs - alone.medianMs, 1);
      return {
        text: `A command to the house: Home Assistant itself ${roundTo(alone.medianMs, 1)} ms, through Hearth ${roundTo(hearth.medianMs, 1)} ms: ${onTop} ms on top. A question that only a skill answers takes ${roundTo(skill.medianMs, 1)} ms.`,
        figures: { alone, hearth, skill, onTop },
        missed: onTop > maxMs ? [`A command costs ${onTop} ms on top; the limit is ${maxMs} ms.`] : [],
      };
    } finally {
      await agent.close();
      await house.end();
    }
  },
};
