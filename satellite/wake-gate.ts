import { ask } from './ask.ts';
import type { ClientEvent, ServerEvent } from './event.ts';
import { gettext } from './gettext.ts';

/** The household's words with their models are some hundred kilobytes. */
const withinMs = 10_000;

type Session = Extract<ServerEvent, { type: 'session.created' }>['session'];

interface WakeGateOptions {
  /** Null: an installation may contain only the folder satellite/. */
  wakeFolder: Awaited<ReturnType<typeof loadWakeFolder>>;
  /** Hearth's address. */
  url: URL;
  token: string | undefined;
  send: (event: ClientEvent) => void;
  sendSound: (samples: Buffer) => void;
  tell: (line: string) => void;
}

/** Loads the folder api/src/wake, which is beside this one. Null: it is not. */
export async function loadWakeFolder() {
  try {
    const [{ createLocalWakeGate }, { createDownloadedWakeMemory }] = await Promise.all([
      import('../api/src/wake/local-wake-gate.ts'),
      import('../api/src/wake/downloaded-wake-memory.ts'),
    ]);
    return { createLocalWakeGate, createDownloadedWakeMemory };
  } catch {
    return null;
  }
}

/** Passes the events of the server to the gate, and tells the person which speech is answered. */
export function createWakeGate(options: WakeGateOptions) {
  const { wakeFolder, sendSound, tell } = options;
  const gate = wakeFolder && gateOf(wakeFolder, options);
  let mode: Session['wake'] | null = null;

  const follow = (session: Session, isNew: boolean): void => {
    const [before, now] = [mode, session.wake ?? 'open'];
    mode = now;
    if (isNew) gate?.reset();
    gate?.follow(session);
    if (!isNew && now === before) return;
    if (!isNew || now !== 'open') tell(whomItAnswers(session));
    if (!gate && now === 'word')
      tell(
        gettext(
          'The folder api/src/wake is not beside this one. All sound is sent, and Hearth listens for the wake word in it.',
        ),
      );
  };

  return {
    hear: (samples: Buffer): void => (gate ? gate.hear(samples) : sendSound(samples)),
    handle(event: ServerEvent): void {
      if (event.type === 'session.created') follow(event.session, true);
      else if (event.type === 'session.updated') follow(event.session, false);
      else if (event.type === 'microphone.changed') gate?.open(event.open);
      else if (event.type === 'error' && event.event === 'wake.heard') gate?.refused();
    },
  };
}

function gateOf(
  { createLocalWakeGate, createDownloadedWakeMemory }: NonNullable<WakeGateOptions['wakeFolder']>,
  { url, token, send, sendSound, tell }: WakeGateOptions,
) {
  return createLocalWakeGate({
    load: async () => {
      const signal = AbortSignal.timeout(withinMs);
      const answer = await ask(new URL('/wake-words', url), { token, signal });
      if (!answer.ok) throw new Error(gettext('Hearth answered %s', answer.status));
      return createDownloadedWakeMemory(await answer.json());
    },
    send,
    sendSound: ({ buffer, byteOffset, length }) => sendSound(Buffer.from(buffer, byteOffset, length)),
    onFault: (error) => {
      tell(
        gettext(
          'The wake word models could not be downloaded (%s). All sound is sent, and Hearth listens for the wake word in it.',
          error instanceof Error ? error.message : String(error),
        ),
      );
    },
    onMended: () =>
      tell(gettext('The wake word models are here now. No sound leaves this device before a wake word.')),
    after: (ms, work) => setTimeout(work, ms),
  });
}

/** Returns a sentence for the person at the device. */
function whomItAnswers({ wake = 'open', wake_words: words = [], names = [] }: Session): string {
  if (wake === 'open') return gettext('It answers every sentence.');
  // Older servers do not send the names.
  const called = names.length === 0 ? gettext('its name') : gettext('the name %s', quoted(names));
  if (wake === 'name') return gettext('It answers sentences with %s.', called);
  if (wake === 'word+name') return gettext('It answers sentences with %s or a wake word.', called);
  if (words.length === 0) return gettext('There is no wake word.');
  return gettext('It listens for %s.', quoted(words.map(({ phrase }) => phrase)));
}

const quoted = (words: readonly string[]) =>
  words.map((each) => `"${each}"`).reduce((one, other) => gettext('%s or %s', one, other));
