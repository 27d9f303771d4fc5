import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { Ending } from './ending.ts';

export interface Settings {
  /** Hearth's address. */
  url: URL;
  token: string | undefined;
  client: string;
  room: string | undefined;
  /** Which sentences are answered; undefined: all. */
  wake: WakeMode | undefined;
  /** WAV files instead of a sound card. */
  inFile: string | undefined;
  outFile: string | undefined;
  micDevice: string;
  speakerDevice: string;
  isPushToTalk: boolean;
  /** The microphone is deaf while the satellite speaks. */
  isHalfDuplex: boolean;
}

export const help = `A microphone and a loudspeaker for Hearth.

  node main.ts --url http://hearth.lan:8765 --room kitchen

  --url URL              where Hearth answers (HEARTH_URL; http://localhost:8765)
  --token TOKEN          a token that it knows; better in the environment, where no list of processes shows it (SERVICE_TOKEN)
  --client NAME          names the conversation; every satellite needs a name of its own (HEARTH_CLIENT; this machine's name)
  --room ROOM            the room that it is in (HEARTH_ROOM)
  --wake MODE            name: answers only who says a name of the setting "names"; open: everybody (HEARTH_WAKE; open)
  --push-to-talk         the space bar or Enter begins to listen, and ends it; without it the microphone is always open
  --half-duplex          hears nothing while it speaks, for a microphone that hears the loudspeaker
  --mic-device NAME      as "arecord -L" lists them (default)
  --speaker-device NAME  as "aplay -L" lists them (default)
  --in FILE.wav          hears this instead of a microphone, then ends
  --out FILE.wav         writes what is said into this instead of playing it
  --help                 this list
`;

const option = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The settings, or `help` if that was asked for. The command line wins over the environment. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Settings | 'help' {
  const given = parse(args);
  if (given.help) return 'help';
  return {
    url: readUrl(given.url ?? nonEmpty(env['HEARTH_URL']) ?? 'http://localhost:8765'),
    token: nonEmpty(given.token ?? env['SERVICE_TOKEN']),
    client: given.client ?? nonEmpty(env['HEARTH_CLIENT']) ?? hostname(),
    room: given.room ?? nonEmpty(env['HEARTH_ROOM']),
    wake: readWake(given.wake ?? nonEmpty(env['HEARTH_WAKE'])),
    inFile: given.in,
    outFile: given.out,
    micDevice: given['mic-device'] ?? 'default',
    speakerDevice: given['speaker-device'] ?? 'default',
    isPushToTalk: given['push-to-talk'] ?? false,
    isHalfDuplex: given['half-duplex'] ?? false,
  };
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: option,
        token: option,
        client: option,
        room: option,
        wake: option,
        in: option,
        out: option,
        'mic-device': option,
        'speaker-device': option,
        'push-to-talk': flag,
        'half-duplex': flag,
        help: flag,
      },
    });
    return values;
  } catch (error) {
    throw new Ending(`${error instanceof Error ? error.message : error} --help lists the options.`);
  }
}

function readUrl(given: string): URL {
  const url = URL.parse(given);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Ending(`"${given}" is not an address of Hearth. An address looks like http://hearth.lan:8765.`);
}

const wakeModes = ['open', 'name'] as const;
type WakeMode = (typeof wakeModes)[number];

function readWake(given: string | undefined): WakeMode | undefined {
  const mode = wakeModes.find((each) => each === given);
  if (given === undefined || mode) return mode;
  throw new Ending(`--wake is ${wakeModes.join(' or ')}, not "${given}".`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
