import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { machineTimeZone } from './time-zone.ts';

/** The replicas of an engine, or the reason for having none. */
export type EngineConfig =
  | {
      urls: readonly string[];
      /** The Unix socket of its only server, used instead of the port in its address. */
      socket?: string;
    }
  | { off: string };

/** The address of Home Assistant, and its long-lived access token. */
export interface HomeConfig {
  url: string;
  token: string;
}

/** Address of the Wyoming server, and the clients allowed besides this machine. */
interface WyomingConfig {
  /** The listen address. In a container, the address on which the port is published. */
  address: string;
  port: number;
  /** Addresses and ranges. */
  allowed: readonly string[];
}

/** Configuration of https, which runs in addition to http. */
interface HttpsConfig {
  /** Whether it runs from the start. Otherwise it runs once the page opens Hearth to the home network. */
  isOn: boolean;
  port: number;
  /** Files with the owner's certificate and key. Null: the household's own CA issues them. */
  own: { cert: string; key: string } | null;
  /** Folder of the household's CA. */
  folder: string;
  /** Names and addresses of this machine that it cannot detect. */
  names: readonly string[];
}

export interface Config {
  host: string;
  port: number;
  /** Undefined: only requests from this machine are accepted. */
  serviceToken: string | undefined;
  /** Extra names in lower case that the Host header may contain. */
  trustedHosts: readonly string[];
  /** Origins of pages and apps with access, in lower case. */
  trustedOrigins: readonly string[];
  /** Addresses and ranges of proxies with a trusted X-Forwarded-For. */
  trustedProxies: readonly string[];
  /**
   * The address on which a container's port is published. The default gateway is trusted only if this is a
   * loopback address.
   */
  listenAddress: string | undefined;
  redisUrl: string;
  llm: EngineConfig;
  stt: EngineConfig;
  tts: EngineConfig;
  /** The model to request from a foreign server; our own server has just one. */
  llmModel: string | undefined;
  llmApiKey: string | undefined;
  /** The model to request from a foreign speech recognition. */
  sttModel: string | undefined;
  /** The voice to request from a Piper server; if unset, the server's own. */
  ttsVoice: string | undefined;
  /** The Home Assistant from the environment. Null: none. */
  home: HomeConfig | null;
  /** Null: disabled. */
  wyoming: WyomingConfig | null;
  https: HttpsConfig;
  /** The machine's own names and addresses, which a container cannot see. Empty: detected. */
  machineNames: readonly string[];
  /** The download server for voice devices: its port, and its URL in a container, which cannot detect it. */
  deviceSound: { port: number; url: string | null };
  /** The program that decodes recordings of any format. */
  ffmpeg: string;
  /** The program of the fallback voice. */
  espeak: string;
  /** Names of rooms and devices that people say. The settings may replace them. */
  rooms: readonly string[];
  devices: readonly string[];
  /**
   * Programs that may be started as tool servers. None by default, because a setting alone must not run a
   * program.
   */
  mcpCommands: readonly string[];
  /** The folder with the models' progress.json and selection.json. */
  modelsDir: string;
  /** The Unix socket of the model fetcher. Undefined: there is none. */
  modelsSocket: string | undefined;
  /** The folder for the sockets of engines on other machines. Undefined: none may lend its engines. */
  lentDir: string | undefined;
  /** The folder with the reasons why programs ended. Undefined: nothing writes them. */
  crashesDir: string | undefined;
  /** The household's languages: BCP 47 tags, separated by commas, such as "de,en". */
  language: string;
  /** The language chosen in the settings, instead of the first one. Null: none, or not read yet. */
  chosenLanguage: string | null;
  /** The folder with the household's own sentences, one subfolder for each language. */
  languagesDir: string;
  /** The folder with the household's own wake words. */
  wakeWordsDir: string;
  /** Time of the nightly backup, such as "03:00". Null: none. */
  backupAt: string | null;
  logLevel: LogLevel;
  timeZone: string;
  /** The time zone without a choice in the settings. `isFixed`: TZ names it, so the settings cannot. */
  ownTimeZone: { name: string; isFixed: boolean };
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** A setting with an unusable value. Its message is a sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().min(1).max(65_535));

const onOff = z.enum(['0', '1']).transform((value) => value === '1');
/** User and password of Redis, the sentinels, the name of their Redis, the number of a database. */
const bySentinels =
  /^rediss?\+sentinel:\/\/([^@/?#\s]*@)?SENTINEL(,SENTINEL)*\/[\w.-]+(\/\d+)?(\?sentinel_password=[^&#\s]+)?$/;
const sentinel = /(\[[0-9a-f:]+\]|[\w.-]+)(:\d{1,5})?/;
const redisAddress = z.union([
  z.url({ protocol: /^rediss?$/ }),
  z.string().regex(new RegExp(bySentinels.source.replaceAll('SENTINEL', sentinel.source))),
]);
const redisUrl = z.union([redisAddress, z.url({ protocol: /^file$/ })]);
const engineUrl = z.url({ protocol: /^https?$/ });

/** The only reader of the environment. Throws ConfigError at the first unusable value. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const get = (name: string) => env[name]?.trim() || undefined;
  const list = (name: string) =>
    (get(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean);
  const check = <T>(name: string, schema: z.ZodType<T>, otherwise: string, must: string): T => {
    const parsed = schema.safeParse(get(name) ?? otherwise);
    if (parsed.success) return parsed.data;
    // An address may contain a password.
    const shown = name.endsWith('_URL') ? '' : `, but is "${get(name) ?? otherwise}"`;
    throw new ConfigError(`${name} must be ${must}${shown}.`);
  };
  const engine = (name: string): EngineConfig => {
    const value = get(name);
    if (value === undefined) return { off: `${name} is not set` };
    if (value.toLowerCase() === 'off') return { off: `switched off by ${name}` };
    const urls = value.split(',').map((url) => engineAddress(name, url.trim()));
    return { urls, ...engineSocket(name, urls, get(name.replace('URL', 'SOCKET'))) };
  };

  const wyoming = (): WyomingConfig => {
    const address = get('WYOMING_ADDRESS') ?? '127.0.0.1';
    const allowed = list('WYOMING_ALLOW').map((entry) => addressRange('WYOMING_ALLOW', entry));
    if (isIP(address) === 0)
      throw new ConfigError(`WYOMING_ADDRESS must be an address like 0.0.0.0, but is "${address}".`);
    if (address !== '::1' && !address.startsWith('127.') && allowed.length === 0)
      throw new ConfigError(
        'WYOMING_ALLOW must name who may use Wyoming, like 192.168.1.20, because WYOMING_ADDRESS opens it to other machines, and Wyoming has no passwords.',
      );
    return { address, port: check('WYOMING_PORT', port, '10300', 'a port number from 1 to 65535'), allowed };
  };

  const https = (isOn: boolean): HttpsConfig => {
    const [cert, key] = [get('HTTPS_CERT'), get('HTTPS_KEY')];
    if ((cert === undefined) !== (key === undefined))
      throw new ConfigError(
        'HTTPS_CERT and HTTPS_KEY must both be set, to the files of your certificate and its key, or neither.',
      );
    const names = [...list('HTTPS_NAMES'), ...list('TRUSTED_HOSTS')].map((name) => name.toLowerCase());
    return {
      isOn,
      port: check('HTTPS_PORT', port, '8443', 'a port number from 1 to 65535'),
      own: cert !== undefined && key !== undefined ? { cert, key } : null,
      folder: get('HTTPS_DIR') ?? join(get('DATA_DIR') ?? 'data', 'https'),
      names: isOn ? names.map(householdName) : names.filter(isHouseholdName),
    };
  };

  const zone = check('TZ', timeZone, get('TZ') ?? machineZone(), 'a time zone like Europe/Berlin');

  return Object.freeze({
    host: get('HOST') ?? '127.0.0.1',
    port: check('PORT', port, '8765', 'a port number from 1 to 65535'),
    serviceToken: serviceToken(get('SERVICE_TOKEN')),
    trustedHosts: list('TRUSTED_HOSTS').map((name) => name.toLowerCase()),
    trustedOrigins: list('TRUSTED_ORIGINS').map(pageOrigin),
    trustedProxies: list('TRUSTED_PROXIES').map((entry) => addressRange('TRUSTED_PROXIES', entry)),
    listenAddress: get('LISTEN_ADDRESS'),
    redisUrl: fromFile(
      'REDIS_URL',
      check(
        'REDIS_URL',
        redisUrl,
        'redis://127.0.0.1:6379',
        'an address like redis://host:6379 or redis+sentinel://host:26379,host2:26379/name',
      ),
    ),
    llm: engine('LLM_URL'),
    stt: engine('STT_URL'),
    tts: engine('TTS_URL'),
    llmModel: modelName(get('LLM_MODEL')),
    llmApiKey: get('LLM_API_KEY'),
    sttModel: get('STT_MODEL'),
    ttsVoice: get('TTS_VOICE'),
    home: homeAssistant(get('HOME_ASSISTANT_URL'), get('HOME_ASSISTANT_TOKEN')),
    wyoming: check('WYOMING', onOff, '0', '1 or 0') ? wyoming() : null,
    https: https(check('HTTPS', onOff, '0', '1 or 0')),
    machineNames: list('MACHINE_NAMES').map((name) => name.toLowerCase()),
    deviceSound: {
      port: check('DEVICE_SOUND_PORT', port, '8767', 'a port number from 1 to 65535'),
      url: deviceSoundUrl(get('DEVICE_SOUND_URL')),
    },
    ffmpeg: get('FFMPEG') ?? 'ffmpeg',
    espeak: get('ESPEAK') ?? 'espeak-ng',
    rooms: householdWords('ROOMS', list('ROOMS')),
    devices: householdWords('DEVICES', list('DEVICES')),
    mcpCommands: list('MCP_COMMANDS'),
    modelsDir: get('MODELS_DIR') ?? join(get('DATA_DIR') ?? 'data', 'models'),
    modelsSocket: get('MODELS_SOCKET'),
    lentDir: get('LENT_DIR'),
    crashesDir: get('CRASHES_DIR'),
    language: get('HEARTH_LANGUAGE') ?? 'en',
    chosenLanguage: null,
    languagesDir: get('LANGUAGES_DIR') ?? 'languages',
    wakeWordsDir: get('WAKE_WORDS_DIR') ?? 'wake-words',
    backupAt: check('BACKUP_NIGHTLY', backupAt, '0', '1, 0 or a time of day like 02:30'),
    logLevel: check('LOG_LEVEL', z.enum(logLevels), 'info', `one of ${logLevels.join(', ')}`),
    timeZone: zone,
    ownTimeZone: { name: zone, isFixed: get('TZ') !== undefined },
  });
}

/** Half an hour before the nightly check, so that the check sees the result. */
const usualBackupAt = '03:00';
const backupAt = z
  .string()
  .regex(/^(?:[01]|(?:[01]\d|2[0-3]):[0-5]\d)$/)
  .transform((value) => (value === '0' ? null : value === '1' ? usualBackupAt : value));

const timeZone = z.string().refine((name) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // Intl reports an unknown zone only by an error
  }
});

/** Failing at startup is better than an alarm at the wrong hour. */
function machineZone(): string {
  const found = machineTimeZone();
  if (found !== null) return found;
  throw new ConfigError(
    'Set TZ to a time zone like Europe/Berlin, best in .env: /etc/localtime on this machine does not point to one.',
  );
}

/** A minimum length protects against guessing. A header requires printable ASCII without spaces. */
function serviceToken(token: string | undefined): string | undefined {
  if (token === undefined || /^[\x21-\x7e]{16,}$/.test(token)) return token;
  throw new ConfigError(
    'SERVICE_TOKEN must be at least 16 letters, digits and other ASCII characters, without spaces. "FORCE=1 make token" generates one.',
  );
}

/** Whether a certificate can contain the name or address. */
function isHouseholdName(name: string): boolean {
  return isIP(name) !== 0 || /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(name);
}

function householdName(name: string): string {
  if (isHouseholdName(name)) return name;
  throw new ConfigError(
    `HTTPS_NAMES and TRUSTED_HOSTS must be a comma-separated list of names or addresses like nas.lan, but have "${name}".`,
  );
}

/** The limits are those of the settings that these names start. */
function householdWords(name: string, words: string[]): string[] {
  if (words.length <= 100 && words.every((word) => word.length <= 40 && !/[\p{Cc}\p{Cs}]/u.test(word)))
    return words;
  throw new ConfigError(
    `${name} must be a comma-separated list of at most 100 names of at most 40 characters.`,
  );
}

/** The origin of a page or app, as browsers send it. `null` would allow any page in a frame. */
function pageOrigin(entry: string): string {
  const origin = entry.toLowerCase().replace(/\/$/, '');
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s?#*]+$/.test(origin)) return origin;
  throw new ConfigError(
    `TRUSTED_ORIGINS must be a comma-separated list of origins like app://obsidian.md or https://chat.example, but has "${entry}".`,
  );
}

/** Rejects a range of all addresses, which would let every client fake its address in the log. */
function addressRange(name: string, entry: string): string {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const maxBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const length = bits === undefined ? maxBits : Number(bits);
  if (length > 0 && length <= maxBits) return entry;
  throw new ConfigError(
    `${name} must be a comma-separated list of addresses or ranges like 192.168.1.5 or 172.16.0.0/12, but has "${entry}".`,
  );
}

/**
 * Reads an address from a file, because it may contain a password. In containers, each process gets different
 * files.
 */
function fromFile(name: string, address: string): string {
  if (!address.startsWith('file:')) return address;
  try {
    return redisAddress.parse(readFileSync(new URL(address), 'utf8').trim());
  } catch (error) {
    const why = error instanceof z.ZodError ? 'holds no address like redis://host:6379' : 'cannot be read';
    throw new ConfigError(`${name} names the file ${new URL(address).pathname}, which ${why}.`);
  }
}

/** Placeholder for a secret that this process must not have. */
const withheld = 'withheld';

/** Requires both or neither, because one alone would silently not work. */
function homeAssistant(url: string | undefined, token: string | undefined): HomeConfig | null {
  if (url === undefined && (token === undefined || token === withheld)) return null;
  if (url === undefined)
    throw new ConfigError(
      'HOME_ASSISTANT_URL must be set when HOME_ASSISTANT_TOKEN is: the address of your Home Assistant.',
    );
  const parsed = engineUrl.safeParse(url);
  if (!parsed.success || new URL(parsed.data).username !== '')
    throw new ConfigError(
      'HOME_ASSISTANT_URL must be an address like http://homeassistant.local:8123, without a password in it.',
    );
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError(
      'HOME_ASSISTANT_TOKEN must be a long-lived access token from your Home Assistant, without spaces.',
    );
  return { url: parsed.data.replace(/\/+$/, '').replace(/\/api$/, ''), token };
}

/** Our own server always uses the name `local`. Other names are only for foreign servers. */
function modelName(name: string | undefined): string | undefined {
  return name?.endsWith('.gguf') ? undefined : name;
}

/** A socket requires exactly one server. */
function engineSocket(name: string, urls: readonly string[], socket: string | undefined) {
  if (socket === undefined) return {};
  if (urls.length === 1 && isAbsolute(socket)) return { socket };
  const variable = name.replace('URL', 'SOCKET');
  throw new ConfigError(
    `${variable} must be the absolute path of a Unix socket, for a single address in ${name}.`,
  );
}

/** Plain HTTP, because home devices do not know our certificates. */
function deviceSoundUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!/^http:\/\/[^/?#@\s]+\/?$/.test(value))
    throw new ConfigError('DEVICE_SOUND_URL must be an address like http://192.168.1.10:8767.');
  return value.replace(/\/$/, '');
}

/** The OpenAI-compatible base URL: the same server with or without a trailing /v1. */
function engineAddress(name: string, value: string): string {
  const parsed = engineUrl.safeParse(value);
  if (!parsed.success || new URL(parsed.data).username !== '') {
    throw new ConfigError(
      `${name} must be "off" or a comma-separated list of addresses like http://host:8080, without a password in it.`,
    );
  }
  return parsed.data.replace(/\/+$/, '').replace(/\/v1$/, '');
}
