import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { Ending } from './ending.ts';

export interface SatelliteOptions {
  /** Hearth's address. */
  url: URL;
  /** If false, the satellite looks for a house in the network. */
  isAddressGiven: boolean;
  token: string | undefined;
  client: string;
  room: string | undefined;
  /** The sentences that Hearth answers. */
  wake: WakeMode;
  /** WAV files instead of a sound card. */
  inFile: string | undefined;
  outFile: string | undefined;
  micDevice: string;
  speakerDevice: string;
  isPushToTalk: boolean;
  /** Mutes the microphone while the satellite speaks. */
  isHalfDuplex: boolean;
  /** Only tests the sound cards and prints the pair that a person confirmed. */
  choosesSound: boolean;
  /** The household's program for lights. */
  eventProgram: string | undefined;
  /** Removes the loudspeaker's sound from the microphone's. */
  takesEchoOut: boolean;
}

export const help = `A microphone and a loudspeaker for Hearth.

  node main.ts --url http://hearth.lan:8765 --room kitchen

  --url URL              where Hearth answers (HEARTH_URL; the one found in this network, or http://localhost:8765)
  --token TOKEN          a token that it knows; better in the environment, where no list of processes shows it (SERVICE_TOKEN).
                         Without one it asks to join: it says six digits, to be typed on the page
  --client NAME          names the conversation; every satellite needs a name of its own (HEARTH_CLIENT; this machine's name)
  --room ROOM            the room that it is in (HEARTH_ROOM)
  --wake MODE            word: answers who says a wake word of the setting "wake_words"; name: who says a name of the setting "names";
                         word+name: either; open: everybody (HEARTH_WAKE; word, and open with a button or a recording)
  --push-to-talk         the space bar or Enter begins to listen, and ends it; without it the microphone is always open
  --half-duplex          hears nothing while it speaks, for a microphone that hears the loudspeaker
  --keep-echo            leaves the loudspeaker in the sound of the microphone, for one that takes it out itself
  --on-event PROGRAM     starts it with one word, for a light: connected, lost, listening, thinking, speaking,
                         ringing or idle (HEARTH_ON_EVENT)
  --mic-device NAME      as "arecord -L" lists them (HEARTH_MIC; default)
  --speaker-device NAME  as "aplay -L" lists them (HEARTH_SPEAKER; default)
  --choose-sound         asks "Do you hear me? Say yes." over one sound card after the other, prints the one that works, and ends
  --in FILE.wav          hears this instead of a microphone, then ends
  --out FILE.wav         writes what is said into this instead of playing it
  --help                 this list
`;

const option = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

/** Returns the settings, or `help` if requested. The command line overrides the environment. */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): SatelliteOptions | 'help' {
  const given = parse(args);
  if (given.help) return 'help';
  // A button press or a given recording is always meant for Hearth.
  const isAsked = given['push-to-talk'] || given.in !== undefined;
  return {
    isAddressGiven: (given.url ?? nonEmpty(env['HEARTH_URL'])) !== undefined,
    url: readUrl(given.url ?? nonEmpty(env['HEARTH_URL']) ?? 'http://localhost:8765'),
    token: nonEmpty(given.token ?? env['SERVICE_TOKEN']),
    client: given.client ?? nonEmpty(env['HEARTH_CLIENT']) ?? hostname(),
    room: given.room ?? nonEmpty(env['HEARTH_ROOM']),
    wake: readWake(given.wake ?? nonEmpty(env['HEARTH_WAKE'])) ?? (isAsked ? 'open' : 'word'),
    inFile: given.in,
    outFile: given.out,
    micDevice: given['mic-device'] ?? nonEmpty(env['HEARTH_MIC']) ?? 'default',
    speakerDevice: given['speaker-device'] ?? nonEmpty(env['HEARTH_SPEAKER']) ?? 'default',
    choosesSound: given['choose-sound'],
    isPushToTalk: given['push-to-talk'],
    isHalfDuplex: given['half-duplex'],
    takesEchoOut: !given['keep-echo'],
    eventProgram: given['on-event'] ?? nonEmpty(env['HEARTH_ON_EVENT']),
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
        'keep-echo': flag,
        'choose-sound': flag,
        'on-event': option,
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

const wakeModes = ['open', 'name', 'word', 'word+name'] as const;
type WakeMode = (typeof wakeModes)[number];

function readWake(given: string | undefined): WakeMode | undefined {
  const mode = wakeModes.find((each) => each === given);
  if (given === undefined || mode) return mode;
  throw new Ending(`--wake is ${wakeModes.join(', ').replace(/, (?=[^,]*$)/, ' or ')}, not "${given}".`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
