import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Ring } from '../listen/ringing/ringing.ts';
import type { EnteredSession } from '../listen/session.ts';
import type { SessionChoice } from '../listen/session-choice.ts';
import type { Logger } from '../log.ts';
import type { AnswerFault, createAnswerServer, DeviceAnswer } from './answer-server.ts';
import { aheadMsFor, answerFormat } from './answer-sound.ts';
import { giveKey } from './device-key.ts';
import { createEarlyRequest } from './early-request.ts';
import { LinkProblem } from './link-problem.ts';
import { createLoudspeakerVolume } from './loudspeaker-volume.ts';
import { createShownTimers } from './shown-timers.ts';
import { type HostAndPort, type KeyOrigin, readAddress, type VoiceDevice } from './voice-device.ts';
import { openVoiceLink, type VoiceLink } from './voice-link.ts';
import { createVoiceTurns, type DeviceFault } from './voice-turns.ts';

/** Dependencies of a device connection. */
export interface DeviceDependencies {
  log: Logger;
  clock: Clock;
  enter: (entering: {
    choice: SessionChoice;
    line: ReturnType<typeof createVoiceTurns>['line'];
    about: Readonly<Record<string, unknown>>;
    replaced: () => void;
    isDeafAfterwards: boolean;
    aheadMs: number;
    wakesItself: boolean;
    ringsItself: (rings: readonly Ring[]) => readonly Ring[];
  }) => Promise<EnteredSession>;
  endSilenceMs: () => number;
  answers: Pick<ReturnType<typeof createAnswerServer>, 'open'>;
  /** Base URL of the answers for devices. Null: this machine's address in their network. */
  answersUrl: string | null;
  answersPort: () => number;
  isTaken: (wakeWord: string, by: string) => Promise<boolean>;
}

interface JoinOptions extends DeviceDependencies {
  device: VoiceDevice;
  /**
   * Called when the device has identified itself. Resolves with the name of another entry for the same
   * device, or null.
   */
  onMac: (mac: string) => Promise<string | null>;
  /** Stores an encryption key, and its origin. */
  onKey: (key: string | null, origin: KeyOrigin) => Promise<void>;
  sayOnce: (what: string) => void;
  /** Logs a problem. A change of the stored device may end this connection before the caller learns of it. */
  report: (problem: LinkProblem) => void;
  signal: AbortSignal;
  over: () => void;
  fail: (problem: LinkProblem) => void;
}

const faults: Readonly<Record<AnswerFault | DeviceFault, string>> = {
  twice: 'a voice device requested an answer twice: each is served once',
  never:
    'a voice device did not fetch its answer. Can it reach this machine on the port of DEVICE_SOUND_PORT?',
  foreign: 'another machine requested the answer of a voice device, and was refused',
  slow: 'a voice device did not read its answer to the end',
  'endless sound': 'a voice device kept sending sound after it was told to stop: its sound is ignored',
  'cannot announce': 'a voice device cannot make announcements: its firmware is too old',
};

/** Connects a device and enters it as a satellite. Rejects with LinkProblem. */
export async function joinDevice(options: JoinOptions) {
  const { device, clock, answers, isTaken, sayOnce, signal, over, fail, onMac, onKey } = options;
  const place = readAddress(device.address);
  if (place === null) throw new LinkProblem('This is not an address.');
  const { host, own } = await addressesOf(place.host, place.port);
  const base = options.answersUrl ?? `http://${isIPv6(own) ? `[${own}]` : own}:${options.answersPort()}`;
  const onFault = (fault: AnswerFault | DeviceFault) => sayOnce(faults[fault]);

  let turns: ReturnType<typeof createVoiceTurns> | null = null;
  /** The device may be woken before the setup is complete. */
  const early = createEarlyRequest();
  let volume: ReturnType<typeof createLoudspeakerVolume> | null = null;
  let seenPercent: number | null = null;
  const openLink = (): Promise<VoiceLink> =>
    openVoiceLink({
      host,
      port: place.port,
      key: device.key,
      signal,
      on: {
        onRequest: (wakeWord) => (turns ?? early).onRequest(wakeWord),
        stopped: () => (turns ?? early).stopped(),
        sound: (samples) => (turns ?? early).sound(samples),
        played: () => turns?.played(),
        volume: (percent) => {
          seenPercent = percent;
          volume?.seen(percent);
        },
        gone: over,
      },
    });
  const at = { host, port: place.port };
  const link = await openWithFirstKey({ ...options, place: at, openLink });
  const close = async (): Promise<void> => {
    turns?.close();
    await link.close();
  };
  try {
    if (device.mac !== null && device.mac !== link.facts.mac)
      throw new LinkProblem("Another device answers at this address. Enter this device's new address.");
    const twin = await onMac(link.facts.mac);
    if (twin !== null)
      throw new LinkProblem(`This device is already set up as "${twin}". Remove one of the two.`);
    if (device.key === null && device.keyOrigin === 'owner' && link.facts.takesKey)
      await onKey(randomBytes(32).toString('base64'), 'offered');
    const wanted = answerFormat(link.facts.sound);
    const newAnswer = (onLeft: () => void): DeviceAnswer & { url: string } => {
      const from = options.answersUrl === null ? host : null;
      const answer = answers.open({ from, wanted, onFault, onLeft });
      return { ...answer, url: `${base}${answer.path}` };
    };
    const talk = createVoiceTurns({
      link,
      clock,
      newAnswer,
      isTaken: (wakeWord) => isTaken(wakeWord, device.id),
      conversation: device.name,
      onFault,
    });
    let tookOver = (_timerId: string): void => undefined;
    const timers = createShownTimers({
      link,
      isAble: link.facts.showsTimers,
      onTaken: (timerId) => tookOver(timerId),
    });
    volume = createLoudspeakerVolume({ link });
    const entered = await options.enter({
      choice: {
        client: device.name,
        room: device.room,
        endpointing: 'server',
        end_silence_ms: options.endSilenceMs(),
      },
      line: {
        ...talk.line,
        send: (event) => {
          talk.line.send(event);
          timers.tell(event);
          volume?.tell(event);
        },
      },
      about: { kind: 'esphome', model: link.facts.model },
      replaced: () =>
        fail(new LinkProblem('Another satellite has the same name. Give the device another name.')),
      isDeafAfterwards: true,
      aheadMs: aheadMsFor(wanted),
      wakesItself: true,
      ringsItself: timers.ring,
    });
    tookOver = entered.tookOver;
    talk.serve(entered.session);
    volume.serve(entered.session, seenPercent);
    turns = talk;
    early.replay(talk);
    return {
      link,
      async close(): Promise<void> {
        await close();
        entered.session.close();
        entered.leave({});
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface FirstKeyOptions extends Pick<JoinOptions, 'device' | 'onKey' | 'report' | 'signal'> {
  place: HostAndPort;
  openLink: () => Promise<VoiceLink>;
}

/** Connects, and gives the device its first encryption key if it does not use the offered one yet. */
async function openWithFirstKey(options: FirstKeyOptions): Promise<VoiceLink> {
  const { device, place, openLink, onKey, report, signal } = options;
  if (device.key === null || device.keyOrigin !== 'offered') return openLink();
  const offered = device.key;
  const link = await openLink().catch(async (problem: unknown) => {
    const isTaken = await giveKey(place, offered, signal).catch(() => Promise.reject(problem));
    if (isTaken) return await openLink();
    const refusal = new LinkProblem('The device accepts no encryption key, so Hearth uses it without one.');
    report(refusal);
    await onKey(null, 'refused');
    throw refusal;
  });
  await onKey(offered, 'ours');
  return link;
}

/** The device's address, and this machine's address in the same network. */
async function addressesOf(name: string, port: number): Promise<{ host: string; own: string }> {
  const { address: host, family } = await lookup(name).catch((error: unknown) => {
    throw new LinkProblem('No device on the network has this name. Enter its address, like 192.168.1.30.', {
      cause: error,
    });
  });
  // Sends nothing: connecting a UDP socket only selects the route.
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    socket.connect(port, host);
    await once(socket, 'connect');
    return { host, own: socket.address().address };
  } catch (error) {
    throw new LinkProblem('This machine has no route to the address of the device.', { cause: error });
  } finally {
    socket.close();
  }
}
