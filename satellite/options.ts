import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { Ending } from './ending.ts';
import { gettext } from './gettext.ts';

export interface SatelliteOptions {
  /** Hearth's address. */
  url: URL;
  /** If false, the satellite searches the network for a server. */
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

  --url URL              address of Hearth (HEARTH_URL; default: the one found on this network, or http://localhost:8765)
  --token TOKEN          access token. Prefer SERVICE_TOKEN in the environment, because process lists show arguments.
                         Without a token, the satellite asks to join: it says six digits, which you type on the page
  --client NAME          name of the conversation, which must be unique (HEARTH_CLIENT; default: the name of this machine)
  --room ROOM            room in which the satellite is (HEARTH_ROOM)
  --wake MODE            which speech it answers (HEARTH_WAKE; default: word, or open with a button or a recording).
                         word: speech after a wake word of the setting "wake_words"
                         name: speech with a name of the setting "names"
                         word+name: either of the two
                         open: all speech
  --push-to-talk         the space bar or Enter starts and stops listening; without it, the microphone is always open
  --half-duplex          mutes the microphone while it speaks, for a microphone that picks up the loudspeaker
  --keep-echo            does not remove the echo of the loudspeaker, for a microphone that cancels it itself
  --on-event PROGRAM     program for a light, started with one word at each event: connected, lost, listening, thinking,
                         speaking, ringing or idle (HEARTH_ON_EVENT)
  --mic-device NAME      microphone, as listed by "arecord -L" (HEARTH_MIC; default: "default")
  --speaker-device NAME  loudspeaker, as listed by "aplay -L" (HEARTH_SPEAKER; default: "default")
  --choose-sound         asks "Can you hear me? Say yes." over each sound card in turn, prints the one that works, and exits
  --in FILE.wav          uses this recording instead of a microphone, then exits
  --out FILE.wav         writes the speech to this file instead of playing it
  --help                 shows this list
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
    throw new Ending(
      gettext('%s --help lists the options.', error instanceof Error ? error.message : String(error)),
    );
  }
}

function readUrl(given: string): URL {
  const url = URL.parse(given);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Ending(
    gettext('"%s" is not an address of Hearth. An address looks like http://hearth.lan:8765.', given),
  );
}

const wakeModes = ['open', 'name', 'word', 'word+name'] as const;
type WakeMode = (typeof wakeModes)[number];

function readWake(given: string | undefined): WakeMode | undefined {
  const mode = wakeModes.find((each) => each === given);
  if (given === undefined || mode) return mode;
  const others = wakeModes.slice(0, -1).join(', ');
  throw new Ending(gettext('--wake is %s or %s, not "%s".', others, wakeModes.at(-1) ?? '', given));
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
