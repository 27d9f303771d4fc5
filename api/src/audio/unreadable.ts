/** The first bytes of the formats that the decoder reads, except MP4. */
const beginnings = ['RIFF', 'RF64', 'OggS', 'fLaC', 'ID3', '\x1aE\xdf\xa3', '#!AMR', 'FORM', 'caff', '.snd'];
/** Boxes that an MP4, M4A, MOV or 3GP file may begin with. */
const firstBoxes = ['ftyp', 'wide', 'mdat', 'moov', 'free', 'skip', 'pnot'];
const boxHeadBytes = 8;
/** A file with more boxes is not a recording. */
const maxBoxes = 64;

const cutOff = 'The recording is cut off: its end is missing. Send it whole.';
const damaged = 'The recording is damaged or cut off: no sound in it can be read. Send it whole.';

/** Why a recording cannot be read, if its bytes show the reason. */
export function explainUnreadable(file: Buffer): string | undefined {
  if (firstBoxes.includes(file.toString('latin1', 4, boxHeadBytes)))
    return isWholeMp4(file) ? damaged : cutOff;
  const start = file.toString('latin1', 0, boxHeadBytes);
  return beginnings.some((beginning) => start.startsWith(beginning)) ? damaged : undefined;
}

/** Whether index and sound are complete. Phones write the index last; without it, no sound can be found. */
function isWholeMp4(file: Buffer): boolean {
  const whole = new Set<string>();
  let at = 0;
  for (let box = 0; box < maxBoxes && at < file.length; box += 1) {
    const end = at + boxBytes(file, at);
    if (end > file.length) return false;
    whole.add(file.toString('latin1', at + 4, at + boxHeadBytes));
    at = end;
  }
  return whole.has('moov') && (whole.has('mdat') || whole.has('moof'));
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
