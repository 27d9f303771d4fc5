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

type KeyOptions = Pick<KeyKind, 'what'> & Partial<Pick<KeyKind, 'lasts' | 'lastsS' | 'isKept'>>;

function key(name: string, { what, lastsS, lasts, isKept = false }: KeyOptions): KeyKind {
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
    what: 'turns with a transcript and without a started answer',
    lasts: 'until their deadlines',
  }),
  // Separate, so that waiting for an engine never blocks a question that needs no engine.
  turnsWaitingFor: key('waiting-turns:<engine>', {
    what: 'turns that wait for the speech recognition, or for the language model',
    lasts: 'until their deadlines',
  }),
  turns: key('turns', { what: 'outcomes and times of the last 200 turns; no words' }),
  turnCounts: key('turn-counts', { what: 'number of turns per outcome' }),
  turnTimes: key('turn-times', { what: 'durations of the parts of turns, in steps' }),
  turnTimesOfHour: key('turn-times:<hour>', { what: 'the same for one hour', lastsS: 25 * hour }),
  utteranceClaims: key('heard:<hash>', {
    what: 'the satellite that heard an utterance first',
    lasts: 'seconds',
  }),
  utteranceRivals: key('rivals:<hash>', {
    what: 'times and quality at which satellites heard an utterance',
    lasts: 'seconds',
  }),
  satelliteCalls: key('satellite-calls', {
    what: 'times and quality at which satellites heard a name or wake word, and the one that answers',
    lasts: 'seconds',
  }),
  knownAnswers: key('known-answers:<caller>', {
    what: 'hashes of the last 1,000 answers of a caller, to recognize them in a chat without a name; no words',
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
    what: 'number of turns; start of the prompt',
    lasts: 'the same',
    isKept: true,
  }),
  // After a day people no longer mean these actions by "undo that".
  actions: key('conversation:<name>:actions', {
    what: 'actions in it, and how to undo them',
    lastsS: day,
    isKept: true,
  }),
  // For this time "it" and "the bedroom too" mean the last command.
  lastCommand: key('conversation:<name>:home', {
    what: 'the last command to the house, for sentences that refer to it',
    lastsS: 2 * minute,
    isKept: true,
  }),
  conversationSizes: key('conversation-sizes', { what: 'size of each conversation in bytes' }),
  conversationBytes: key('conversation-bytes', { what: 'size of all conversations in bytes' }),
  // A day later people no longer connect it with their question.
  conversationsGivenUp: key('conversations-given-up', {
    what: 'number of turns and conversations deleted lately for lack of room',
    lastsS: day,
  }),
  // Sizes change with every turn. The recount finds conversations that appeared or vanished in other ways.
  conversationRecount: key('conversation-recount', {
    what: 'marks that all conversations were measured lately',
    lastsS: hour,
  }),
  openTurns: key('open-turns', {
    what: 'running turns; Hearth deletes nothing from their conversations',
    lasts: 'until their deadlines',
  }),
  // A turn's job may run twice until well after its deadline.
  acted: key('acted:<turn>', {
    what: 'effect of a turn (or of each action), to act only once',
    lastsS: 10 * minute,
  }),
  // Longer than a turn, because its job may check twice.
  asked: key('asked:<turn>', { what: 'a question that a turn asked', lastsS: 3 * minute }),
  begun: key('begun:<action>', {
    what: 'start of an outside tool call by a turn, to call it only once',
    lastsS: 10 * minute,
  }),
  // Persisted, unlike the turn itself: after a Redis crash, the same request must not act twice.
  idempotency: key('idempotency:<hash>', {
    what: 'the turn that answers a request with an `Idempotency-Key`, and whether it may have acted; no words',
    lastsS: 10 * minute,
  }),
  idempotencyOf: key('idempotency-of:<hash>', {
    what: 'the requests of this kind by one token',
    lastsS: 10 * minute,
  }),
  mistakes: key('mistakes', {
    what: 'questions that the household reported as misunderstood, with their answers; 200 at most',
    lasts: 'until they are deleted or forgotten',
    isKept: true,
  }),
  lists: key('lists', { what: 'the names of the lists', isKept: true }),
  renamedLists: key('renamed-lists', {
    what: 'earlier names of renamed lists, and their names of today; 200 at most',
    isKept: true,
  }),
  joinedItems: key('joined-items', {
    what: 'list entries with an "and" that the household keeps as one; the last 200',
    isKept: true,
  }),
  list: key('list:<name>', { what: 'entries of a list', isKept: true }),
  timers: key('timers', { what: 'active timers, alarms and reminders', isKept: true }),
  timerZone: key('timers:zone', { what: 'time zone of the alarms and reminders', isKept: true }),
  stopwatches: key('stopwatches', { what: 'stopwatches, by room or conversation', isKept: true }),
  toldJokes: key('told-jokes', { what: 'the last jokes and the turns that told them; 100 at most' }),
  spokenPauses: key('spoken-pauses', {
    what: 'lengths of the pauses inside sentences, by satellite; no words',
    isKept: true,
  }),
  speakers: key('speakers', {
    what: 'volume and mute of loudspeakers with changed values, by satellite; 500 at most',
    isKept: true,
  }),
  satelliteChoices: key('satellite-choices', {
    what: 'settings of the satellites: name, room, wake mode; 500 at most',
    isKept: true,
  }),
  voiceDevices: key('voice-devices', {
    what: 'adopted voice devices: name, room, address, encryption key; 32 at most',
    isKept: true,
  }),
  homeAssistant: key('home-assistant', {
    what: 'address and token of the Home Assistant that you connected on the page',
    isKept: true,
  }),
  homeSpeakers: key('home-speakers', {
    what: 'voice devices and players of Home Assistant that ring in rooms without a satellite',
    lasts: 'until Redis restarts',
  }),
  homeSpeakersHolder: key('home-speakers-holder', { what: 'the process that plays on them', lastsS: 8 }),
  voiceDeviceHolder: key('voice-device-holder:<id>', {
    what: 'the process that is connected to a voice device',
    lastsS: 8,
  }),
  voiceDeviceState: key('voice-device-state:<id>', { what: 'state of that connection', lastsS: 8 }),
  // By then Hearth has reported the missed timer, or someone talked over it.
  tellingOf: key('telling-of:<timer>', {
    what: 'a missed timer during its report, to report it only once',
    lastsS: 30,
  }),
  connectedSatellites: key('connected-satellites', {
    what: 'connected satellites, to choose where a timer rings',
    lasts: 'seconds',
  }),
  seenSatellites: key('seen-satellites', {
    what: 'room and last connection of each satellite, by name; 200 at most',
    lasts: 'until Redis restarts',
  }),
  // Later, "tell them I am coming" means other people.
  announced: key('announced:<conversation>', {
    what: 'origin of the last announcement on a satellite, for an answer',
    lastsS: 5 * minute,
  }),
  clock: key('clock', {
    what: 'total forward steps of the clock while Hearth ran',
  }),
  // A machine may run longer; it then writes the key again.
  clockOfBoot: key('clock:<boot>', { what: 'boot time of a machine, by that clock', lastsS: 30 * day }),
  settings: key('pipeline', { what: 'changed settings, with their revision', isKept: true }),
  settingsHistory: key('pipeline:history', { what: 'the last 100 changes to the settings', isKept: true }),
  tokens: key('tokens', {
    what: 'the tokens of devices and programs, by name: scope and SHA-256, never the token itself',
    isKept: true,
  }),
  tokenUses: key('token-uses', {
    what: 'last use of each token, to about a minute, with its address',
    isKept: true,
  }),
  network: key('network', {
    what: 'whether the page opened Hearth to the home network, and when an unconfirmed change reverts',
    isKept: true,
  }),
  pairing: key('pairing:<hash>', {
    what: 'an unused link for a phone: scope and name, by the SHA-256 of its code',
    lastsS: 10 * minute,
  }),
  // They end after ten minutes of steady time. Redis counts by its clock, which may jump.
  joinings: key('joinings', {
    what: 'satellites that ask to join: their digits and the SHA-256 of their tokens',
    lastsS: day,
  }),
  // A turn may need its settings until its record expires.
  settingsOfRevision: key('pipeline:<revision>', {
    what: 'older settings, for turns that started with them',
    lastsS: 15 * minute,
  }),
  // Older calls do not describe the current engine.
  calls: key('calls:<engine>', { what: 'durations of the last 200 calls', lastsS: 7 * day }),
  callErrors: key('call-errors:<engine>', {
    what: 'reasons of the last 20 failures; no words',
    lastsS: 7 * day,
  }),
  llmSlots: key('llm-slots:<address>', { what: 'the conversation in each slot of an engine' }),
  checks: key('checks', { what: 'results of the last 30 checks' }),
  check: key('check', { what: 'the running check', lastsS: 10 }),
  checkNight: key('check-night:<day>', {
    what: 'marks that the check of that night is done',
    lastsS: 2 * day,
  }),
  checkTrial: key('check-trial:<id>', { what: 'test value that a check writes and reads', lastsS: minute }),
  backup: key('backup', { what: 'time of the last backup, and reason of the last failure' }),
  backupNight: key('backup-night:<day>', {
    what: 'marks that the backup of that night is done',
    lastsS: 2 * day,
  }),
  restoring: key('restoring:<id>:<number>', {
    what: 'restored data, before it replaces the current data',
    lastsS: hour,
  }),
  logs: key('logs', { what: 'the last 5,000 log lines of every process; no words unless you turn them on' }),
  // More rewrites in this time would wear the disk without a benefit.
  fileRewrite: key('file-rewrite', {
    what: 'marks a recent request to rewrite the file of Redis',
    lastsS: 3 * minute,
  }),
  mended: key('mended', {
    what: 'data lost in the repair of the damaged Redis file',
    lastsS: 14 * day,
  }),
  // Other processes notice the drain well before this.
  nothing: key('nothing', {
    what: 'never exists: trying to overwrite it shows whether Redis accepts writes',
  }),
  noticed: key('noticed:<what>', {
    what: 'marks a spoken warning about memory or disk',
    lastsS: day,
  }),
  restart: key('restart:<kind>', { what: 'the process of a kind that restarts next', lastsS: 5 }),
} as const satisfies Record<string, KeyKind>;

/** The prefix of all keys, and of BullMQ's queues. */
export const keyPrefix = 'hearth';

const kinds = Object.values(keys)
  // The most specific patterns come first, so that "pipeline:history" does not match "pipeline:<revision>".
  .toSorted((one, other) => variablesOf(one) - variablesOf(other))
  .map(({ pattern, isKept }) => ({ like: new RegExp(`^${pattern.replaceAll(/<\w+>/g, '.+')}$`), isKept }));

/** Whether a key belongs in a backup. Undefined: the table does not contain it. */
export function isBackupKey(name: string): boolean | undefined {
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
