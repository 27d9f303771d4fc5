import { AppError } from '../errors.ts';
import type { ChannelWeigher } from './channel-weights.ts';
import { createConcurrencyLimit, LimitReachedError } from './concurrency-limit.ts';
import { bytesPerSample, type Pcm } from './pcm.ts';
import { declaredSound } from './raw-pcm.ts';
import { resamplePieces } from './resample.ts';
import { ProgramError, runProgram } from './run-program.ts';
import { channelPieces, countFrames, type RawSound } from './sample-coding.ts';
import { findSandbox } from './sandbox.ts';
import { speechRateHz } from './speech-rate.ts';
import { assertNotCutOff, assertReadWhole, explainUnreadable } from './unreadable.ts';
import { readAnyWav } from './wav.ts';

interface DecoderOptions {
  /** The program that reads recordings other than WAV and raw PCM. */
  ffmpegPath: string;
  /** Maximum length of a recording. */
  maxSeconds: number;
  /** Maximum programs at once. Each needs a core, and memory for its recording. */
  maxAtOnce: number;
  /** Weights the channels of a recording. */
  weighChannels: ChannelWeigher;
}

export type Decoder = ReturnType<typeof createDecoder>;

/** Encoders add a little silence to the last second. */
const graceSeconds = 0.5;
/** ffmpeg decodes several hundred seconds of sound per second, but fewer on a small, busy machine. */
const patience = { minMs: 10_000, msPerSecond: 20 };
/** ffmpeg mixes more channels down to two, so that a long recording fits into memory. */
const maxProgramChannels = 2;
/** Each waiting recording takes up to 25 MiB of memory. */
const maxWaiting = 8;

/** Reads recordings in any common format. */
export function createDecoder({ ffmpegPath, maxSeconds, maxAtOnce, weighChannels }: DecoderOptions) {
  const limit = createConcurrencyLimit({ maxAtOnce, maxWaiting });
  const maxMs = (maxSeconds + graceSeconds) * 1_000;
  const timeoutMs = patience.minMs + maxSeconds * patience.msPerSecond;
  const sandbox = findSandbox({ path: ffmpegPath, probe: ['-version'] });
  const tooLong = () => new AppError('too_large', `The recording is longer than ${maxSeconds} seconds.`);

  async function toSpeech(sound: RawSound, signal: AbortSignal): Promise<Pcm> {
    const frames = countFrames(sound);
    if (frames === 0) throw new AppError('no_audio', 'The recording contains no sound.');
    if ((frames / sound.sampleRateHz) * 1_000 > maxMs) throw tooLong();
    const pieces = channelPieces(sound, await weighChannels(sound, signal));
    return resamplePieces(pieces, { fromHz: sound.sampleRateHz, toHz: speechRateHz });
  }

  async function readByProgram(input: Buffer, signal: AbortSignal): Promise<RawSound> {
    const call = { path: ffmpegPath, args: ffmpegArguments(maxSeconds + 1), input, timeoutMs, signal };
    const maxOutputBytes = (maxSeconds + 2) * speechRateHz * bytesPerSample * maxProgramChannels;
    try {
      const run = async () => runProgram({ ...call, maxOutputBytes, sandbox: await sandbox });
      const { output } = await limit(signal, run);
      // Ignore the exit code: some files yield all their sound and then an error, others no sound and no
      // error.
      const sound = readAnyWav(output);
      if (sound === null || countFrames(sound) === 0)
        throw new AppError('audio_unreadable', explainUnreadable(input));
      assertReadWhole(input, countFrames(sound) / sound.sampleRateHz, maxSeconds);
      return sound;
    } catch (error) {
      throw toUserError(error);
    }
  }

  return {
    /** The sandbox ffmpeg runs in. */
    sandbox: () => sandbox.then(({ kind }) => kind),

    /**
     * Decodes a recording to 16 kHz. Throws AppError (`no_audio`, `audio_unreadable`, `too_large`,
     * `overloaded`) or the signal's reason.
     */
    async decode(bytes: Buffer, contentType: string | undefined, signal: AbortSignal): Promise<Pcm> {
      if (bytes.length === 0) throw new AppError('no_audio');
      assertNotCutOff(bytes);
      const raw = readAnyWav(bytes) ?? declaredSound(bytes, contentType);
      return toSpeech(raw ?? (await readByProgram(bytes, signal)), signal);
    },
  };
}

/**
 * Limits ffmpeg with untrusted files. It reads only formats that contain the sound themselves: a playlist
 * could name files and addresses. It reads only the pipe and caches the data, because a phone writes a
 * recording's index at the end.
 */
function ffmpegArguments(seconds: number): string[] {
  const limits = `-hide_banner -loglevel quiet -nostdin -threads 1 -max_alloc ${64 * 1024 * 1024}`;
  const formats = 'ogg,matroska,webm,mov,mp4,mp3,wav,flac,aac,amr,aiff,caf,au';
  const input = `-protocol_whitelist pipe,cache -format_whitelist ${formats} -read_ahead_limit -1 -i cache:pipe:0`;
  const output = `-map 0:a:0 -vn -sn -dn -t ${seconds} -af aformat=channel_layouts=mono|stereo -ar ${speechRateHz}`;
  const wav = `-c:a pcm_s16le -map_metadata -1 -fflags +bitexact -f wav`;
  const maxBytes = seconds * speechRateHz * bytesPerSample * maxProgramChannels;
  return `${limits} ${input} ${output} ${wav} -fs ${maxBytes} pipe:1`.split(' ');
}

function toUserError(error: unknown): unknown {
  if (error instanceof LimitReachedError) {
    return new AppError('overloaded', 'Too many recordings are waiting. Try again in a few seconds.');
  }
  if (!(error instanceof ProgramError)) return error;
  return error.fault === 'missing'
    ? new AppError(
        'audio_unreadable',
        'Hearth can only read WAV and raw PCM here, because ffmpeg is missing.',
        {
          cause: error,
        },
      )
    : new AppError('audio_unreadable', undefined, { cause: error });
}
