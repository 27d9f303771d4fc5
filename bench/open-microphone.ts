import { createListener } from '../api/src/audio/listener.ts';
import { loadVad } from '../api/src/audio/vad.ts';
import { createWakeMemory } from '../api/src/wake/wake-memory.ts';
import { silencesAfter } from '../tests/support/audio/silences.ts';
import { spokenCase, spokenCases } from '../tests/support/audio/spoken-clips.ts';
import { heldBytes } from '../tests/support/memory.ts';
import { fetchedWakeWords } from '../tests/support/wake/words.ts';
import { roundTo, table } from './measure.ts';
import type { Part } from './part.ts';

/** Hours of an open microphone, simulated faster than real time. */
const hours = Number(process.env['OPEN_MICROPHONE_HOURS'] ?? 1);
const looks = 8;
const frameBytes = 640;
/** Memory allocated in the first part is not growth. */
const maxGrownBytes = 2_000_000;

/**
 * Whether memory stays flat while a microphone is open: that of the wake word detector and of voice
 * detection.
 */
export const openMicrophonePart: Part = {
  name: 'open-microphone',
  async run() {
    if (fetchedWakeWords.length === 0 || spokenCases.length === 0) {
      const text = 'An open microphone: skipped, it needs fetched models (wake) and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const listener = createListener({ vad: await loadVad(), silences: silencesAfter() });
    const memory = createWakeMemory(fetchedWakeWords);
    const sound = Buffer.concat(spokenCases.map(({ file }) => spokenCase(file)));
    const wholeBytes = hours * 3_600 * 32_000;
    const rows: { hours: number; heldBytes: number; rssBytes: number; utterances: number }[] = [];
    let [heard, utterances] = [0, 0];
    const begun = process.cpuUsage();
    for (let look = 0; look <= looks; look += 1) {
      for (; heard < (wholeBytes * look) / looks || heard === 0; heard += frameBytes) {
        const at = heard % (sound.length - frameBytes);
        const frame = sound.subarray(at - (at % 2), at - (at % 2) + frameBytes);
        memory.push(frame);
        const edges = await listener.push(frame);
        utterances += edges.filter(({ type }) => type === 'ended').length;
      }
      const rssBytes = process.memoryUsage.rss();
      rows.push({ hours: heard / 32_000 / 3_600, heldBytes: heldBytes(), rssBytes, utterances });
    }
    const { user, system } = process.cpuUsage(begun);
    const msPerSecond = roundTo((user + system) / 1_000 / (heard / 32_000), 1);
    const grown = (rows.at(-1)?.heldBytes ?? 0) - (rows[1]?.heldBytes ?? 0);
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
    return {
      text: `An open microphone for ${hours} h (wake words and voice detection, ${msPerSecond} ms of a core per second of sound): ${grown} more bytes than after the first part
${table([['hours', 'held, MB', 'resident, MB', 'utterances'], ...rows.map((row) => [row.hours.toFixed(2), megabytes(row.heldBytes), megabytes(row.rssBytes), String(row.utterances)])])}`,
      figures: { rows, msPerSecond, grown },
      missed: grown > maxGrownBytes ? [`An open microphone holds ${grown} more bytes after ${hours} h.`] : [],
    };
  },
};
