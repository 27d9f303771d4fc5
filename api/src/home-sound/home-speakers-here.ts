import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import type { HomeSpeaker } from '../engines/home-speaker.ts';
import type { Announcing } from '../listen/ringing/announcing.ts';
import type { Ringer } from '../listen/ringing/ringer.ts';
import type { HomeSpeakerStore } from '../speakers/home-speaker-store.ts';
import type { HomeSpeakerSound } from './home-speaker.ts';

/** How often a process renews its hold on the speakers, or tries to take over from a dead one. */
const pollIntervalMs = 2_000;
const heldMs = 8_000;

interface HomeSpeakersHereOptions {
  store: Pick<HomeSpeakerStore, 'all' | 'hold' | 'letGo'>;
  clock: Clock;
  /** Id of this process. */
  process: string;
  /** Called before the first sound is made for a speaker. */
  prepare: () => Promise<void>;
  open: (speaker: HomeSpeaker) => HomeSpeakerSound;
  ringer: Pick<Ringer, 'join' | 'leave'>;
  announcing: Pick<Announcing, 'put' | 'leave'>;
  onError: (error: unknown) => void;
}

interface Here {
  speaker: HomeSpeaker;
  sound: HomeSpeakerSound;
}

/** Registers the speakers of Home Assistant like satellites, in one of the api processes. */
export function createHomeSpeakersHere(options: HomeSpeakersHereOptions) {
  const { store, clock, process, prepare, open, ringer, announcing, onError } = options;
  const here = new Map<string, Here>();
  let isStopped = false;
  let looking: Promise<void> = Promise.resolve();
  let cancelTimeout = (): void => undefined;

  const leave = (room: string): void => {
    const id = idOf(room);
    here.get(room)?.sound.stop();
    here.delete(room);
    ringer.leave(id);
    announcing.leave(id);
  };
  const enter = (speaker: HomeSpeaker): void => {
    const { room, kind } = speaker;
    const sound = open(speaker);
    here.set(room, { speaker, sound });
    const conversation = idOf(room);
    ringer.join({
      sessionId: conversation,
      place: { room, conversation, homeSpeaker: kind },
      ring: sound.ring,
      tell: () => undefined,
    });
    announcing.put(conversation, { conversation, say: sound.announce });
  };
  const look = async (): Promise<void> => {
    const speakers = await store.all();
    const isOurs = speakers.length > 0 && !isStopped && (await store.hold(process, heldMs));
    const wanted = isOurs ? speakers : [];
    for (const [room, { speaker }] of here)
      if (!wanted.some((each) => isDeepStrictEqual(each, speaker))) leave(room);
    const news = wanted.filter(({ room }) => !here.has(room));
    if (news.length > 0) await prepare();
    for (const speaker of news) enter(speaker);
    // Without speakers, wait for a change message.
    if (speakers.length > 0 && !isStopped) cancelTimeout = clock.after(pollIntervalMs, pollAndContinue);
  };
  function pollAndContinue(): void {
    cancelTimeout();
    looking = looking.then(look).catch((error: unknown) => {
      onError(error);
      if (!isStopped) cancelTimeout = clock.after(pollIntervalMs, pollAndContinue);
    });
  }

  return {
    /** Call when the speakers may have changed. */
    look: pollAndContinue,
    /** Releases the speakers at shutdown, so that another process can take over at once. */
    async stop(): Promise<void> {
      isStopped = true;
      cancelTimeout();
      await looking;
      for (const room of [...here.keys()]) leave(room);
      await store.letGo(process).catch(onError);
    },
  };
}

const idOf = (room: string): string => `home/${room}`;
