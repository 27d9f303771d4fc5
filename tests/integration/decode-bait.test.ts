/** @module-tag slow */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDecoder } from '../../api/src/audio/decode.ts';
import { AppError } from '../../api/src/errors.ts';
import {
  canRecord,
  equalWeights,
  ffmpegPath,
  fullFfmpegOutput,
  layOut,
  record,
} from '../support/audio/recordings.ts';
import { chunk } from '../support/audio/wav-files.ts';

/** Addresses that a body may name: a recording on this machine, and a URL that only this machine reaches. */
interface Targets {
  path: string;
  fileUrl: string;
  httpUrl: string;
  port: number;
}

const hls = (address: string) =>
  `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${address}\n#EXT-X-ENDLIST\n`;
const dash = (address: string) => `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
<Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="64000"><BaseURL>${address}</BaseURL>
<SegmentBase indexRange="0-100"/></Representation></AdaptationSet></Period></MPD>`;

/** A box of a MOV, short enough for its length to be one character. */
const box = (type: string, content: string) =>
  `\0\0\0${String.fromCharCode(8 + content.length)}${type}${content}`;
const referenceMovie = (address: string) => {
  const reference = box('rdrf', `\0\0\0\0url \0\0\0${String.fromCharCode(address.length)}${address}`);
  return box('ftyp', 'qt  \0\0\0\0qt  ') + box('moov', box('rmra', box('rmda', reference)));
};

const baits: Readonly<Record<string, (targets: Targets) => string>> = {
  'an HLS playlist of an address': ({ httpUrl }) => hls(httpUrl),
  'an HLS playlist of a file': ({ path }) => hls(path),
  'an HLS playlist of a file as an address': ({ fileUrl }) => hls(fileUrl),
  'an HLS playlist of a file by another protocol': ({ path }) => hls(`subfile,,start,0,end,0,,:${path}`),
  'an HLS playlist of files put together': ({ path, httpUrl }) => hls(`concat:${path}|${httpUrl}`),
  'an HLS playlist of playlists': ({ httpUrl }) =>
    `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${httpUrl}list.m3u8\n`,
  'an HLS key': ({ httpUrl }) =>
    hls('data:audio/mpeg;base64,SUQz').replace(
      '#EXTINF',
      `#EXT-X-KEY:METHOD=AES-128,URI="${httpUrl}key"\n#EXTINF`,
    ),
  'a list for ffconcat of a file': ({ path }) => `ffconcat version 1.0\nfile '${path}'\n`,
  'a list for ffconcat of an address': ({ httpUrl }) => `ffconcat version 1.0\nfile ${httpUrl}\n`,
  'a DASH manifest of an address': ({ httpUrl }) => dash(httpUrl),
  'a DASH manifest of a file': ({ fileUrl }) => dash(fileUrl),
  'a description of a stream (SDP)': ({ port }) =>
    `v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=a\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\na=control:rtsp://127.0.0.1:${port}/\r\n`,
  'a PLS list': ({ httpUrl }) => `[playlist]\nNumberOfEntries=1\nFile1=${httpUrl}\n`,
  'an M3U list': ({ path, httpUrl }) => `#EXTM3U\n${path}\n${httpUrl}\n`,
  'an ASX list': ({ httpUrl }) => `<asx version="3.0"><entry><ref href="${httpUrl}"/></entry></asx>`,
  'a MOV that is elsewhere': ({ httpUrl }) => referenceMovie(httpUrl),
  'a bare path': ({ path }) => path,
  'a bare address': ({ httpUrl }) => httpUrl,
};

/** Disguises for a body. */
const disguises: Readonly<Record<string, (bait: string) => Buffer>> = {
  'as it is': (bait) => Buffer.from(bait),
  'behind the head of a WAV': (bait) =>
    chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), Buffer.from(`\n${bait}`)])),
  'as the sound of a WAV of unknown kind': (bait) =>
    chunk(
      'RIFF',
      Buffer.concat([
        Buffer.from('WAVE'),
        chunk('fmt ', Buffer.alloc(16, 9)),
        chunk('data', Buffer.from(bait)),
      ]),
    ),
  'behind the head of an MP3': (bait) =>
    Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.from(bait)]),
  'behind the head of an Ogg': (bait) => Buffer.concat([Buffer.from('OggS\0'), Buffer.from(bait)]),
};

const types = ['application/octet-stream', 'audio/wav', 'application/vnd.apple.mpegurl', undefined];

describe.skipIf(!canRecord)('a body that refers to another file or address (needs ffmpeg)', () => {
  const decoder = createDecoder({ ffmpegPath, maxSeconds: 120, maxAtOnce: 2, weighChannels: equalWeights });
  let calls = 0;
  let server: Server;
  let targets: Targets;
  let laidOut: Awaited<ReturnType<typeof layOut>>;

  beforeAll(async () => {
    const recording = await record(['-f', 'lavfi', '-i', 'sine=duration=3'], ['a.mp3']);
    laidOut = await layOut({ 'secret.mp3': recording });
    server = createServer((socket) => {
      calls += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const path = laidOut.path('secret.mp3');
    targets = {
      path,
      fileUrl: pathToFileURL(path).href,
      httpUrl: `http://127.0.0.1:${port}/secret.mp3`,
      port,
    };
  });
  afterAll(async () => {
    server.close();
    await laidOut.remove();
  });

  test.each(Object.entries(baits))('is refused without a fetch: %s', async (_, bait) => {
    const before = calls;
    const bodies = Object.values(disguises).map((disguise) => disguise(bait(targets)));
    for (const [n, body] of bodies.entries()) {
      const answer = await decoder.decode(body, types[n % types.length], AbortSignal.timeout(15_000)).then(
        ({ samples }) => `${samples.length} bytes of sound`,
        (error: unknown) => (error instanceof AppError ? error.code : error),
      );

      expect(answer).toBe('audio_unreadable');
    }
    expect(calls - before).toBe(0);
  });

  test('would make an unrestricted ffmpeg fetch it', async () => {
    const before = calls;
    const list = await layOut({
      'address.m3u8': Buffer.from(hls(targets.httpUrl)),
      'file.m3u8': Buffer.from(hls(targets.path)),
    });
    const free = [
      '-protocol_whitelist',
      'file,http,tcp',
      '-extension_picky',
      '0',
      '-allowed_extensions',
      'ALL',
    ];
    const read = (name: string) => fullFfmpegOutput(...free, '-i', list.path(name), '-f', 's16le', 'pipe:1');

    const stolen = await read('file.m3u8');
    await read('address.m3u8').catch(() => undefined);
    await list.remove();

    expect(stolen.length).toBeGreaterThan(100_000);
    expect(calls - before).toBeGreaterThan(0);
  });
});
