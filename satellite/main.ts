import { createAway } from './away.ts';
import { chooseSound } from './choose-sound.ts';
import { type Connection, connect } from './connection.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { type EchoCanceller, loadEchoCanceller } from './echo-canceller.ts';
import { Ending, TokenRejected } from './ending.ts';
import type { ServerEvent } from './event.ts';
import { createEventProgram } from './event-program.ts';
import { gettext } from './gettext.ts';
import { enterHouse } from './house.ts';
import { createLostWords } from './house-words.ts';
import { createKnownTimers } from './known-timers.ts';
import { createFileLoudspeaker, createPlayer, type Loudspeaker } from './loudspeaker.ts';
import { createFileMicrophone, createRecorder, type Microphone } from './microphone.ts';
import { createMicrophoneLevel } from './microphone-level.ts';
import { help, readOptions, type SatelliteOptions } from './options.ts';
import { createHouseStore, stateFolder } from './stored-house.ts';
import { watchTalkButton } from './talk-button.ts';
import { createWakeGate, loadWakeFolder } from './wake-gate.ts';
import { readWavFile } from './wav.ts';

/** After a recording, this much silence means that no more answers will come. */
const quietMs = 3_000;

const show = (line: string) => console.log(line);
const tell = (line: string) => console.error(line);

/** Runs until the program ends; returns the exit code. */
async function run(given: SatelliteOptions): Promise<number> {
  const over = Promise.withResolvers<Ending | null>();
  const onFault = over.resolve;
  const loudspeaker: Loudspeaker =
    given.outFile === undefined
      ? createPlayer({ device: given.speakerDevice, onFault })
      : createFileLoudspeaker(given.outFile);
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopped.abort();
      over.resolve(null);
    });
  const keeper = createHouseStore(stateFolder(process.env));
  const settings = await enterHouse(given, { keeper, loudspeaker, tell, signal: stopped.signal });
  if (settings.choosesSound) return await printSound(settings);
  const canceller = await cancellerFor(settings);
  const wakeFolder = await loadWakeFolder();
  const satellite = createSatellite(settings, { loudspeaker, canceller, wakeFolder, onEnd: over.resolve });

  const ending = await over.promise;
  await satellite.close();
  loudspeaker.close();
  if (ending) tell(ending.message);
  if (ending instanceof TokenRejected && given.token === undefined) {
    keeper.forget();
    tell(gettext('Restart the satellite to ask to join again.'));
  }
  return ending?.exitCode ?? 0;
}

/** Prints the sound cards as lines of a settings file, for the installer. */
async function printSound(settings: SatelliteOptions): Promise<number> {
  const cards = await chooseSound(settings, tell);
  if (cards) show(`HEARTH_MIC=${cards.micDevice}\nHEARTH_SPEAKER=${cards.speakerDevice}`);
  else tell(gettext('There was no speech. "aplay -l" and "arecord -l" list the sound cards.'));
  return cards ? 0 : 1;
}

/** Only a sound card's microphone can hear the loudspeaker. */
async function cancellerFor({ inFile, outFile, isHalfDuplex, takesEchoOut }: SatelliteOptions) {
  if (inFile !== undefined || outFile !== undefined || isHalfDuplex || !takesEchoOut) return null;
  const canceller = await loadEchoCanceller();
  if (!canceller)
    tell(
      gettext(
        'The echo canceller is missing, so the satellite may hear itself. Run "npm ci" in this folder.',
      ),
    );
  return canceller;
}

type SessionCreated = Extract<ServerEvent, { type: 'session.created' }>;

interface Parts {
  loudspeaker: Loudspeaker;
  canceller: EchoCanceller | null;
  wakeFolder: Awaited<ReturnType<typeof loadWakeFolder>>;
  onEnd: (ending: Ending | null) => void;
}

function createSatellite(settings: SatelliteOptions, parts: Parts) {
  const { loudspeaker, canceller, wakeFolder, onEnd } = parts;
  const { isPushToTalk, inFile } = settings;
  const heardAlong = canceller?.around(loudspeaker) ?? loudspeaker;
  const lights = createEventProgram(settings.eventProgram, tell);
  const lostWords = createLostWords(settings);
  const away = createAway({
    ...{ loudspeaker: heardAlong, timers: createKnownTimers(), tell },
    lostWords: lostWords.sound,
    onRing: () => lights.start('ringing'),
  });
  let isListening = !isPushToTalk || inFile !== undefined;
  let lastEventAtMs = 0;

  const onRecordingEnd = () => {
    if (isPushToTalk) connection.send({ type: 'input_audio_buffer.commit' });
    if (isPushToTalk) isListening = false;
    endWhenQuiet(conversation, { since: () => lastEventAtMs, onEnd });
  };
  const microphone: Microphone =
    inFile === undefined
      ? createRecorder({ device: settings.micDevice, onFault: onEnd })
      : createFileMicrophone(readWavFile(inFile), onRecordingEnd);

  const greet = ({ session: { room, language } }: SessionCreated): void => {
    const { url, client } = settings;
    tell(
      room
        ? gettext('Connected to %s as %s, in the room %s.', url.origin, client, room)
        : gettext('Connected to %s as %s.', url.origin, client),
    );
    if (inFile === undefined) void lostWords.prepare(language);
    if (isPushToTalk) connection.send({ type: 'session.update', session: { endpointing: 'manual' } });
    if (isPushToTalk && inFile === undefined)
      tell(gettext('Press the space bar to start and to stop listening; q quits.'));
    microphone.open((recorded) => {
      const isDeaf = settings.isHalfDuplex && conversation.isAudible();
      const samples = canceller?.clean(recorded) ?? recorded;
      level.hear(recorded);
      if (isListening) hear(isDeaf ? Buffer.alloc(samples.length) : samples);
    });
  };
  const connection = connect({
    url: listenAddress(settings, canceller !== null),
    token: settings.token,
    isOnce: inFile !== undefined,
    onEvent: (event) => {
      lastEventAtMs = performance.now();
      away.follow(event);
      lights.follow(event);
      if (event.type === 'session.created') greet(event);
      else conversation.handle(event);
      wakeGate?.handle(event);
      level.handle(event);
    },
    onSound: (samples) => conversation.sound(samples),
    onLost: () => {
      conversation.lost();
      away.lost();
      lights.start('lost');
    },
    onEnd,
    tell,
  });
  // A button press already shows that the person addresses Hearth.
  const wakeGate = isPushToTalk
    ? null
    : createWakeGate({
        ...settings,
        wakeFolder,
        tell,
        send: connection.send,
        sendSound: connection.sendSound,
      });
  const level = createMicrophoneLevel({ send: connection.send });
  const hear = wakeGate?.hear ?? connection.sendSound;
  const conversation = createConversation({
    send: connection.send,
    loudspeaker: heardAlong,
    show,
    tell,
  });

  if (isPushToTalk && inFile === undefined) {
    const onPress = () => {
      isListening = !isListening;
      away.quiet();
      press(isListening, { connection, conversation });
    };
    watchTalkButton({ input: process.stdin, onPress, onEnd });
  }
  return {
    close: async () => {
      microphone.close();
      away.close();
      await connection.close();
    },
  };
}

function press(
  isListening: boolean,
  { connection, conversation }: { connection: Connection; conversation: Conversation },
): void {
  if (isListening) {
    conversation.interrupt();
    connection.send({ type: 'input_audio_buffer.clear' });
    tell(gettext('Listening.'));
  } else {
    connection.send({ type: 'input_audio_buffer.commit' });
  }
}

/** Ends the program after a quiet time without speech. */
function endWhenQuiet(
  conversation: Conversation,
  { since, onEnd }: { since: () => number; onEnd: (ending: null) => void },
): void {
  const beganAtMs = performance.now();
  const timer = setInterval(() => {
    if (!conversation.isQuiet() || performance.now() - Math.max(since(), beganAtMs) < quietMs) return;
    clearInterval(timer);
    onEnd(null);
  }, 50);
}

function listenAddress({ url, client, room, wake }: SatelliteOptions, takesEchoOut: boolean): URL {
  const address = new URL('/listen', url);
  address.protocol = url.protocol.replace('http', 'ws');
  address.searchParams.set('client', client);
  if (room !== undefined) address.searchParams.set('room', room);
  if (wake !== 'open') address.searchParams.set('wake', wake);
  if (takesEchoOut) address.searchParams.set('echo', 'cancelled');
  return address;
}

try {
  const settings = readOptions(process.argv.slice(2), process.env);
  if (settings === 'help') show(help);
  else process.exitCode = await run(settings);
} catch (error) {
  if (error instanceof Error && error.name === 'AbortError') process.exit();
  if (!(error instanceof Ending)) throw error;
  tell(error.message);
  process.exitCode = error.exitCode;
}
// Exits at once: only timers of abandoned connections and a listening terminal are left.
process.exit();
