import { type Connection, connect } from './connection.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { Ending } from './ending.ts';
import type { ServerEvent } from './event.ts';
import { createFileLoudspeaker, createPlayer, type Loudspeaker } from './loudspeaker.ts';
import { createFileMicrophone, createRecorder, type Microphone } from './microphone.ts';
import { help, readOptions, type Settings } from './options.ts';
import { watchTalkButton } from './talk-button.ts';
import { readWavFile } from './wav.ts';

/** After a recording, this much silence means that nothing more will come. */
const quietMs = 3_000;

const show = (line: string) => console.log(line);
const tell = (line: string) => console.error(line);

/** Runs until it is ended; the code to exit with. */
async function run(settings: Settings): Promise<number> {
  const over = Promise.withResolvers<Ending | null>();
  const onFault = over.resolve;
  const loudspeaker: Loudspeaker =
    settings.outFile === undefined
      ? createPlayer({ device: settings.speakerDevice, onFault })
      : createFileLoudspeaker(settings.outFile);
  const satellite = createSatellite(settings, { loudspeaker, onEnd: over.resolve });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.resolve(null));

  const ending = await over.promise;
  await satellite.close();
  loudspeaker.close();
  if (ending) tell(ending.message);
  return ending?.exitCode ?? 0;
}

type SessionCreated = Extract<ServerEvent, { type: 'session.created' }>;

interface Parts {
  loudspeaker: Loudspeaker;
  onEnd: (ending: Ending | null) => void;
}

function createSatellite(settings: Settings, { loudspeaker, onEnd }: Parts) {
  const { isPushToTalk, inFile } = settings;
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

  const greet = ({ session: { room } }: SessionCreated): void => {
    tell(`Connected to ${settings.url.origin} as ${settings.client}${room ? `, in the room ${room}` : ''}.`);
    if (settings.wake === 'name') tell('It answers who says its name.');
    if (isPushToTalk) connection.send({ type: 'session.update', session: { endpointing: 'manual' } });
    if (isPushToTalk && inFile === undefined)
      tell('Press the space bar to start and to stop listening; q quits.');
    microphone.open((samples) => {
      const isDeaf = settings.isHalfDuplex && conversation.isAudible();
      if (isListening) connection.sendSound(isDeaf ? Buffer.alloc(samples.length) : samples);
    });
  };
  const connection = connect({
    url: listenAddress(settings),
    token: settings.token,
    isOnce: inFile !== undefined,
    onEvent: (event) => {
      lastEventAtMs = performance.now();
      if (event.type === 'session.created') greet(event);
      else conversation.handle(event);
    },
    onSound: (samples) => conversation.sound(samples),
    onLost: () => conversation.lost(),
    onEnd,
    tell,
  });
  const conversation = createConversation({ send: connection.send, loudspeaker, show, tell });

  if (isPushToTalk && inFile === undefined) {
    const onPress = () => {
      isListening = !isListening;
      press(isListening, { connection, conversation });
    };
    watchTalkButton({ input: process.stdin, onPress, onEnd });
  }
  return {
    close: async () => {
      microphone.close();
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
    tell('Listening.');
  } else {
    connection.send({ type: 'input_audio_buffer.commit' });
  }
}

/** Ends the program when nothing has happened for a while and nothing is being said. */
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

function listenAddress({ url, client, room, wake }: Settings): URL {
  const address = new URL('/listen', url);
  address.protocol = url.protocol.replace('http', 'ws');
  address.searchParams.set('client', client);
  if (room !== undefined) address.searchParams.set('room', room);
  if (wake !== undefined) address.searchParams.set('wake', wake);
  return address;
}

try {
  const settings = readOptions(process.argv.slice(2), process.env);
  if (settings === 'help') show(help);
  else process.exitCode = await run(settings);
} catch (error) {
  if (!(error instanceof Ending)) throw error;
  tell(error.message);
  process.exitCode = error.exitCode;
}
// Timers of abandoned connections, a terminal that still listens: nothing worth waiting for.
process.exit();
