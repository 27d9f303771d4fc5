import { AppError } from '../errors.ts';
import { statedSeconds } from './wav.ts';

/** The first bytes of the formats that the decoder reads, except MP4, WAV and AIFF. */
const beginnings = ['OggS', 'fLaC', 'ID3', '\x1aE\xdf\xa3', '#!AMR', 'caff', '.snd'];
/** A WAV or an AIFF, or the first bytes of one. An AVI begins in the same way. */
const chunked = /^(?:R(?:IFF|F64)|FORM)(?:.{4}(?:WAVE|AIF[FC])|.{0,7}$)/s;
const chunkedBytes = 12;
/** Boxes that an MP4, M4A, MOV or 3GP file may begin with. */
const firstBoxes = ['ftyp', 'wide', 'mdat', 'moov', 'free', 'skip', 'pnot'];
const boxHeadBytes = 8;
/** The longest header to read. A shorter file contains no sound. */
const longestHeadBytes = 12;
/** Maximum number of boxes in a recording. */
const maxBoxes = 64;
/** Boxes that hold sound or its index. */
const soundBoxes = ['moov', 'moof', 'mdat'];

/** Encoders of a WAV state up to this much more sound than they encode. A FLAC states the exact length. */
const maxLostSeconds = 0.5;
const roundingSeconds = 0.01;

const cutOff = 'The recording is cut off: its end is missing. Send it whole.';
const inPart =
  'Only a part of the recording can be read: it is cut off, or its codec does not fit into a WAV. ' +
  'Send it whole, or in another format.';
const damaged = 'The recording is damaged or cut off: no sound in it can be read. Send it whole.';

/**
 * Throws `audio_unreadable` for an MP4, AIFF, AU or CAF that ends before its sound does. The decoder would
 * read a part, and half of a command may be another command. Many programs write a wrong length into a WAV.
 */
export function assertNotCutOff(file: Buffer): void {
  if (statedEnd(file) > file.length) throw new AppError('audio_unreadable', cutOff);
}

/** The position at which a file's sound ends, from its headers. 0: unknown. */
function statedEnd(file: Buffer): number {
  if (isMp4(file)) {
    const ends = boxesOf(file).flatMap(({ type, end }) => (soundBoxes.includes(type) ? [end] : []));
    return Math.max(0, ...ends);
  }
  const start = file.toString('latin1', 0, 4);
  if (file.length < longestHeadBytes) return 0;
  // The last sample of an AIFF may lack its fill byte.
  if (start === 'FORM') return 8 + unlessOpen(file.readUInt32BE(4)) - 1;
  if (start === '.snd') return file.readUInt32BE(4) + unlessOpen(file.readUInt32BE(8));
  return start === 'caff' ? cafEnd(file) : 0;
}

/** A length of -1 means "to the end". */
const unlessOpen = (bytes: number): number => (bytes === 0xffffffff ? 0 : bytes);

/** Each chunk of a CAF has a type of four letters and a length of 64 bits. */
function cafEnd(file: Buffer): number {
  let at = 8;
  for (let chunk = 0; chunk < maxBoxes && at + 12 <= file.length; chunk += 1) {
    const bytes = Number(file.readBigInt64BE(at + 4));
    if (bytes < 0) return 0;
    at += 12 + bytes;
  }
  return at;
}

/**
 * Throws `audio_unreadable` for a WAV or FLAC that states more sound than the decoder found. AAC and Vorbis
 * in a WAV lack the lengths of their packets, so the decoder finds only a few.
 */
export function assertReadWhole(file: Buffer, readSeconds: number, maxSeconds: number): void {
  const flac = flacSeconds(file);
  const stated = Math.min(flac || (statedSeconds(file) ?? 0), maxSeconds);
  const maxLost = flac > 0 ? roundingSeconds : Math.min(maxLostSeconds, stated / 2);
  if (stated - readSeconds > maxLost) throw new AppError('audio_unreadable', inPart);
}

/** The length that the first block of a FLAC states. 0: not a FLAC, or no length. */
function flacSeconds(file: Buffer): number {
  if (file.length < 26 || file.toString('latin1', 0, 4) !== 'fLaC') return 0;
  const frames = (file.readUInt8(21) & 15) * 2 ** 32 + file.readUInt32BE(22);
  return frames / (file.readUIntBE(18, 3) >> 4);
}

/** Why a recording cannot be read, if its bytes show the reason. */
export function explainUnreadable(file: Buffer): string | undefined {
  if (isMp4(file)) return isWholeMp4(file) ? damaged : cutOff;
  const start = file.toString('latin1', 0, chunkedBytes);
  const isReadable = chunked.test(start) || beginnings.some((beginning) => start.startsWith(beginning));
  return isReadable ? damaged : undefined;
}

/** Whether index and sound are complete. Phones write the index last; without it, no sound can be found. */
function isWholeMp4(file: Buffer): boolean {
  const boxes = boxesOf(file);
  if (boxes.some(({ end }) => end > file.length)) return false;
  const whole = new Set(boxes.map(({ type }) => type));
  return whole.has('moov') && (whole.has('mdat') || whole.has('moof'));
}

const isMp4 = (file: Buffer): boolean => firstBoxes.includes(file.toString('latin1', 4, boxHeadBytes));

/** The outer boxes and their stated ends. The last one may end beyond the file. */
function boxesOf(file: Buffer): { type: string; end: number }[] {
  const boxes: { type: string; end: number }[] = [];
  let at = 0;
  while (boxes.length < maxBoxes && at < file.length) {
    const end = at + boxBytes(file, at);
    boxes.push({ type: file.toString('latin1', at + 4, at + boxHeadBytes), end });
    at = end;
  }
  return boxes;
}

/**
 * ISO/IEC 14496-12: size 1 means 64 bits after the type, size 0 means "to the end". Infinity: the box header
 * is incomplete.
 */
function boxBytes(file: Buffer, at: number): number {
  if (at + boxHeadBytes > file.length) return Number.POSITIVE_INFINITY;
  const size = file.readUInt32BE(at);
  if (size === 0) return file.length - at;
  if (size !== 1) return Math.max(size, boxHeadBytes);
  if (at + 2 * boxHeadBytes > file.length) return Number.POSITIVE_INFINITY;
  return Math.max(Number(file.readBigUInt64BE(at + boxHeadBytes)), 2 * boxHeadBytes);
}
