/** A kind of Redis key. The table below lists every kind. */
interface KeyKind {
  /** As in `hearth:turn:<id>`. */
  pattern: string;
  /** Builds the key. The arguments replace each <...> in order. */
  of: (...parts: readonly (string | number)[]) => string;
  /** The key as a Lua expression. The argument is a Lua expression for the <...>. */
  inLua: (part: string) => string;
  /** The text before and after the only <...>. */
  around: { before: string; after: string };
  what: string;
  /** Lifetime in words. */
  lasts: string;
  /** Lifetime in seconds, if it is fixed. */
  lastsS: number;
  /** Whether a household would miss it. Backups contain only such keys. */
  isKept: boolean;
}

type Told = Pick<KeyKind, 'what'> & Partial<Pick<KeyKind, 'lasts' | 'lastsS' | 'isKept'>>;

function key(name: string, { what, lastsS, lasts, isKept = false }: Told): KeyKind {
  const pattern = `hearth:${name}`;
  const [before = '', ...behind] = pattern.split(/<\w+>/);
  const of: KeyKind['of'] = (...parts) =>
    behind.reduce((text, each, at) => `${text}${parts[at]}${each}`, before);
  return {
    pattern,
    what,
    of,
    inLua: (part) => `'${of(`' .. ${part} .. '`)}'`,
    around: { before, after: behind[0] ?? '' },
    lasts: lasts ?? (lastsS === undefined ? '-' : inWords(lastsS)),
    lastsS: lastsS ?? Number.POSITIVE_INFINITY,
    isKept,
  };
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** All keys except those of BullMQ. `npm run docs` writes docs/architecture.md from this table. */
export const keys = {
  // Longer than the deadline, so that a late reader still finds it.
  turn: key('turn:<id>', { what: 'a turn: words, state, deadline, reply', lastsS: 10 * minute }),
  sentence: key('sentence:<id>', { what: 'a sentence to be spoken', lastsS: 10 * minute }),
  waitingTurns: key('waiting-turns', {
    what: 'turns whose words are known and whose answer has not been started',
    lasts: 'until their deadlines',
  }),
  // Separate, so that waiting for an engine never blocks a question that needs no engine.
  turnsWaitingFor: key('waiting-turns:<engine>', {
    what: 'turns that wait for the speech recognition, or for the language model',
    lasts: 'until their deadlines',
  }),
  turns: key('turns', { what: 'how the last 200 turns went and where their time went; no words' }),
  turnCounts: key('turn-counts', { what: 'how many turns had which outcome' }),
  turnTimes: key('turn-times', { what: 'how long the parts of turns took, in steps' }),
  turnTimesOfHour: key('turn-times:<hour>', { what: 'the same for one hour', lastsS: 25 * hour }),
  utteranceClaims: key('heard:<hash>', { what: 'which satellite heard something first', lasts: 'seconds' }),
  utteranceRivals: key('rivals:<hash>', {
    what: 'when satellites began to hear something, and how well',
    lasts: 'seconds',
  }),
  knownAnswers: key('known-answers:<caller>', {
    what: 'by what an answer of ours is known again in a chat without a name: hashes of the last 1,000 of a caller; no words',
    lastsS: day,
  }),
  conversations: key('conversations', {
    what: 'the names of all conversations, ordered by their last turn',
    lasts: 'with the conversation',
    isKept: true,
  }),
  exchanges: key('conversation:<name>:exchanges', {
    what: 'question and answer of the last 200 turns, as the model saw them, with its calls',
    lasts: '30 days after the last',
    isKept: true,
  }),
  conversation: key('conversation:<name>:meta', {
    what: 'how many turns there were; where the prompt begins',
    lasts: 'the same',
    isKept: true,
  }),
  // People only undo recent actions. After a day, no one knows what "that" was.
  actions: key('conversation:<name>:actions', {
    what: 'what was done in it, and how to undo it',
    lastsS: day,
    isKept: true,
  }),
  // How long "it" and "the bedroom too" refer to the last command.
  lastCommand: key('conversation:<name>:home', {
    what: 'the last command to the house, for sentences that refer to it',
    lastsS: 2 * minute,
    isKept: true,
  }),
  conversationSizes: key('conversation-sizes', { what: 'the bytes that each conversation takes' }),
  conversationBytes: key('conversation-bytes', { what: 'the bytes that all of them take together' }),
  // After a day, people no longer connect it with their question.
  conversationsGivenUp: key('conversations-given-up', {
    what: 'how many turns and conversations were forgotten lately because there was no room',
    lastsS: day,
  }),
  // Sizes change with every turn. The recount finds conversations that appeared or vanished in other ways.
  conversationRecount: key('conversation-recount', {
    what: 'says that all conversations were measured lately',
    lastsS: hour,
  }),
  openTurns: key('open-turns', {
    what: 'turns that are not over, whose conversations give up nothing',
    lasts: 'until their deadlines',
  }),
  // A turn's job may run twice until well after its deadline.
  acted: key('acted:<turn>', {
    what: 'what a turn (or each of its actions) did, so that it acts only once',
    lastsS: 10 * minute,
  }),
  // Longer than a turn, because its job may check twice.
  asked: key('asked:<turn>', { what: 'a question that a turn asked', lastsS: 3 * minute }),
  begun: key('begun:<action>', {
    what: 'an outside tool that a turn has begun to use, so that it uses it only once',
    lastsS: 10 * minute,
  }),
  // Persisted, unlike the turn itself: after a Redis crash, the same request must not act twice.
  idempotency: key('idempotency:<hash>', {
    what: 'which turn answers a request with an `Idempotency-Key`, and whether it may have acted; no words',
    lastsS: 10 * minute,
  }),
  idempotencyOf: key('idempotency-of:<hash>', {
    what: 'which of these a token has made',
    lastsS: 10 * minute,
  }),
  lists: key('lists', { what: 'the names of the lists', isKept: true }),
  list: key('list:<name>', { what: 'what is on a list', isKept: true }),
  timers: key('timers', { what: 'timers, alarms and reminders that are not over', isKept: true }),
  stopwatches: key('stopwatches', { what: 'stopwatches, by room or conversation', isKept: true }),
  spokenPauses: key('spoken-pauses', {
    what: 'how long the people at each satellite pause inside their sentences; no words',
    isKept: true,
  }),
  speakers: key('speakers', {
    what: 'volume and mute of the loudspeakers that somebody has set, by satellite; 500 at most',
    isKept: true,
  }),
  satelliteChoices: key('satellite-choices', {
    what: 'what the household has set of its satellites: name, room, wake mode; 500 at most',
    isKept: true,
  }),
  voiceDevices: key('voice-devices', {
    what: 'the voice devices that the household has adopted: name, room, address, encryption key; 32 at most',
    isKept: true,
  }),
  homeAssistant: key('home-assistant', {
    what: 'the address and the token of the Home Assistant that was connected on the page',
    isKept: true,
  }),
  homeSpeakers: key('home-speakers', {
    what: 'the voice devices and players of Home Assistant on which is rung where no satellite is',
    lasts: 'until Redis is started anew',
  }),
  homeSpeakersHolder: key('home-speakers-holder', { what: 'which process plays on them', lastsS: 8 }),
  voiceDeviceHolder: key('voice-device-holder:<id>', {
    what: 'which process is connected to a voice device',
    lastsS: 8,
  }),
  voiceDeviceState: key('voice-device-state:<id>', { what: 'how that connection is', lastsS: 8 }),
  // By then the missed timer was reported, or someone has interrupted the report.
  tellingOf: key('telling-of:<timer>', {
    what: 'a missed timer that is being reported, so that nothing else reports it',
    lastsS: 30,
  }),
  connectedSatellites: key('connected-satellites', {
    what: 'which satellites are connected, to decide where a timer rings',
    lasts: 'seconds',
  }),
  seenSatellites: key('seen-satellites', {
    what: 'in which room a satellite stands and when it was last connected, by name; 200 at most',
    lasts: 'until Redis is started anew',
  }),
  // After this time, "tell them I am coming" refers to someone else.
  announced: key('announced:<conversation>', {
    what: 'where the last announcement came from that a satellite has heard, for an answer',
    lastsS: 5 * minute,
  }),
  clock: key('clock', {
    what: 'how far the clock was set forward while Hearth ran',
  }),
  // Machines run longer, but then the value is written again.
  clockOfBoot: key('clock:<boot>', { what: 'when a machine was started, by that time', lastsS: 30 * day }),
  settings: key('pipeline', { what: 'the settings that were changed, with their revision', isKept: true }),
  settingsHistory: key('pipeline:history', { what: 'the last 100 changes to the settings', isKept: true }),
  tokens: key('tokens', {
    what: 'the tokens of devices and programs, by name: scope and SHA-256, never the token itself',
    isKept: true,
  }),
  tokenUses: key('token-uses', {
    what: 'when each of them was last used, to about a minute, and from which address',
    isKept: true,
  }),
  pairing: key('pairing:<hash>', {
    what: 'a link for a phone that was not used yet: scope and name, by the SHA-256 of its code',
    lastsS: 10 * minute,
  }),
  joinings: key('joinings', {
    what: 'satellites that ask to join: their digits and the SHA-256 of their tokens',
    lastsS: 10 * minute,
  }),
  // A turn may need its settings until its record expires.
  settingsOfRevision: key('pipeline:<revision>', {
    what: 'older settings, for turns that began with them',
    lastsS: 15 * minute,
  }),
  // Older calls say nothing about the engine's current state.
  calls: key('calls:<engine>', { what: 'how long the last 200 calls took', lastsS: 7 * day }),
  callErrors: key('call-errors:<engine>', { what: 'why the last 20 failed; no words', lastsS: 7 * day }),
  llmSlots: key('llm-slots:<address>', { what: 'which slot of an engine holds which conversation' }),
  checks: key('checks', { what: 'what the last 30 checks found' }),
  check: key('check', { what: 'which check is running', lastsS: 10 }),
  checkNight: key('check-night:<day>', {
    what: 'says that the check of that night is done',
    lastsS: 2 * day,
  }),
  checkTrial: key('check-trial:<id>', { what: 'what a check writes and reads back', lastsS: minute }),
  backup: key('backup', { what: 'when the last backup was made, and why the last one failed' }),
  backupNight: key('backup-night:<day>', {
    what: 'says that the backup of that night is made',
    lastsS: 2 * day,
  }),
  restoring: key('restoring:<id>:<number>', {
    what: 'what is being restored, before it takes the place of what is there',
    lastsS: hour,
  }),
  logs: key('logs', { what: 'the last 5,000 log lines of every process; no words unless you turn them on' }),
  // A rewrite so soon after the last would only wear the disk.
  fileRewrite: key('file-rewrite', {
    what: 'says that Redis has lately been told to write its file anew',
    lastsS: 3 * minute,
  }),
  mended: key('mended', {
    what: 'what was lost when the damaged file of Redis was mended',
    lastsS: 14 * day,
  }),
  // Other processes notice the drain well before this.
  nothing: key('nothing', {
    what: 'never exists: trying to overwrite it shows whether Redis accepts writes',
  }),
  noticed: key('noticed:<what>', {
    what: 'says that people were told aloud of memory or disk getting short',
    lastsS: day,
  }),
  restart: key('restart:<kind>', { what: 'which process of a kind restarts next', lastsS: 5 }),
} as const satisfies Record<string, KeyKind>;

/** The prefix of all keys, and of BullMQ's queues. */
export const keyPrefix = 'hearth';

const kinds = Object.values(keys)
  // The most specific patterns come first, so that "pipeline:history" does not match "pipeline:<revision>".
  .toSorted((one, other) => variablesOf(one) - variablesOf(other))
  .map(({ pattern, isKept }) => ({ like: new RegExp(`^${pattern.replaceAll(/<\w+>/g, '.+')}$`), isKept }));

/** Whether a key belongs in a backup. Undefined: the table does not contain it. */
export function isKeptKey(name: string): boolean | undefined {
  return kinds.find(({ like }) => like.test(name))?.isKept;
}

function variablesOf({ pattern }: KeyKind): number {
  return pattern.split('<').length;
}

function inWords(seconds: number): string {
  const units = [
    ['day', day],
    ['hour', hour],
    ['minute', minute],
    ['second', 1],
  ] as const;
  const [unit, size] = units.find(([, each]) => seconds % each === 0 && seconds >= each) ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
