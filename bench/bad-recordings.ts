import { createHash } from 'node:crypto';
import { request } from 'undici';
import type { Household } from './household.ts';
import { outputOf, residentMb } from './processes.ts';

const first = 300;
const more = 1_000;
const atOnce = 4;

/** The memory that a thousand unreadable recordings leave behind in the api, after a warm-up. */
export async function sendBadRecordings(house: Household) {
  await sendMany(house, 0, first);
  const beforeMb = await residentMb(house.api.child);
  await sendMany(house, first, first + more);
  const afterMb = await residentMb(house.api.child);
  const children = await outputOf('pgrep', '-P', String(house.api.child.pid));
  return { beforeMb, afterMb, sent: more, childrenLeft: children ? children.split('\n').length : 0 };
}

async function sendMany(house: Household, from: number, to: number): Promise<void> {
  let next = from;
  const send = async () => {
    for (let number = next++; number < to; number = next++) {
      const { statusCode, body } = await request(`${house.api.url}/voice`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: badRecording(number),
        signal: house.signal,
      });
      const text = await body.text();
      if (statusCode !== 400) throw new Error(`A bad recording got ${statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
}

/** Noise after the beginnings of formats that the api or ffmpeg reads, wrong headers, and empty files. */
const beginnings = [
  '',
  'RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\xff\0',
  'RIFF\x10\0\0\0WAVE',
  'OggS\0\x02',
  'fLaC\0\0\0\x22',
  'ID3\x03\0\0\0\0\0\0',
];

function badRecording(number: number): Buffer {
  const start = Buffer.from(beginnings[number % beginnings.length] ?? '', 'latin1');
  const block = createHash('sha512').update(String(number)).digest();
  const noise = Buffer.concat(Array.from({ length: 1 + (number % 500) }, () => block));
  return Buffer.concat([start, noise]);
}
