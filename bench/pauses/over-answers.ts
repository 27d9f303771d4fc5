import { loadVad } from '../../api/src/audio/vad.ts';
import { table } from '../measure.ts';
import type { Findings, Part } from '../part.ts';
import { hasRealEngines, startStt, startTts } from '../real-engines.ts';
import { openVirtualHouse } from './virtual-house.ts';
import { openVoices, voiceClip } from './voices.ts';

/** Sounds of a listener, which must not end an answer, and sentences that must. */
const sets = {
  'goes on': ['Mm-hm.', 'Mm hmm.', 'Uh-huh.', 'Right.', 'Yeah.', 'Yeah, yeah.', 'Okay.', 'I see.'],
  stops: [
    'Stop.',
    'Wait.',
    'No.',
    'Stop it.',
    'No, wait.',
    'Never mind.',
    'What time is it?',
    'Turn on the kitchen lights.',
  ],
} as const;
type Wish = keyof typeof sets;
/** Maximum share of each set that the answer gets wrong. */
const maxWrong = 0.1;

interface Outcome {
  wish: Wish;
  text: string;
  voice: string;
  heard: string;
  isRight: boolean;
  /** From the first voiced sample until the answer is silent; null if it never is. */
  silentMs: number | null;
}

/**
 * People talk over an answer. The voices, voice detection, recognition and turn-taking are real. The clock
 * advances with the sound, as in `pauses-decided`, so the load of the machine does not matter.
 */
export const overAnswersPart: Part = {
  name: 'over-answers',
  async run(house) {
    if (!hasRealEngines) {
      const text = 'Listening noises: skipped, it needs .venv and fetched models';
      return { text, figures: null, missed: [] };
    }
    const [sttUrl, ttsUrl, vad] = [await startStt(house), await startTts(house), await loadVad()];
    const virtual = await openVirtualHouse({ sttUrl, vad, signal: house.signal });
    const voices = openVoices(ttsUrl, house.signal);
    const all: Outcome[] = [];
    for (const wish of ['goes on', 'stops'] as const)
      for (const text of sets[wish])
        for (const { name, say } of voices) {
          const { goesOn, transcript, silentMs } = await virtual.talkOver(voiceClip(await say(text)));
          all.push({
            wish,
            text,
            voice: name,
            heard: transcript,
            isRight: goesOn === (wish === 'goes on'),
            silentMs,
          });
        }
    return report(all);
  },
};

function report(all: readonly Outcome[]): Findings {
  const of = (wish: Wish) => all.filter((each) => each.wish === wish);
  const wrongOf = (wish: Wish) => of(wish).filter(({ isRight }) => !isRight);
  const wishes = ['goes on', 'stops'] as const;
  const rows = wishes.map((wish) => {
    const silent = of(wish)
      .flatMap(({ silentMs }) => silentMs ?? [])
      .toSorted((one, other) => one - other);
    const at = (share: number) => `${silent[Math.floor(share * silent.length)]?.toFixed(0) ?? '-'} ms`;
    return [`the answer ${wish}`, String(of(wish).length), String(wrongOf(wish).length), at(0.5), at(0.95)];
  });
  const each = all
    .filter(({ isRight }) => !isRight)
    .map(({ wish, text, voice, heard }) => [`${wish}`, text, voice, `heard "${heard}"`]);
  return {
    text: `Speech over an answer, simulated
${table([['wanted', 'said', 'wrong', 'silent after', 'p95'], ...rows])}

${each.length === 0 ? 'All were right.' : table([['wanted', 'text', 'voice', ''], ...each])}`,
    figures: all,
    missed: wishes
      .filter((wish) => wrongOf(wish).length > maxWrong * of(wish).length)
      .map((wish) => `In ${wrongOf(wish).length} of ${of(wish).length} the answer should have: ${wish}.`),
  };
}
