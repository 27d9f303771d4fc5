import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { announceWords, isForQuietHours, whyNotAnnounced } from '../../live/announcing.ts';
import type { Changes } from '../../parts/change.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { languageWords } from '../../parts/words.ts';
import { nextMorning } from './next-morning.ts';

type Satellite = components['schemas']['Satellite'];
type Change = components['schemas']['SatelliteChange'];
type Level = components['schemas']['MicrophoneLevel'];

/** Short enough to show that the microphone follows a voice. */
const levelEveryMs = 400;
/** Level at the empty end of the bar, in dB below full scale: a room at night. */
const stillDb = -80;

/** Ordered by how much speech is answered, the least first. */
const modes: readonly (readonly [NonNullable<Satellite['wake']>, words: () => string])[] = [
  ['word', () => t('to a wake word|It answers')],
  ['name', () => t('to its name|It answers')],
  ['word+name', () => t('to a wake word or its name|It answers')],
  ['open', () => t('to everyone|It answers')],
];

interface MoreProps {
  house: House;
  satellite: Satellite;
  /** The tags of the household's languages. */
  languages: readonly string[];
  onChange: Changes['change'];
}

/**
 * The settings of a satellite that change rarely: its name, its room, its wake mode. It also mutes for a
 * time, and tests microphone and speaker.
 */
export function SatelliteMore({ house, satellite, languages, onChange }: MoreProps) {
  const isOpen = useSignal(false);
  const { client, connected } = satellite;
  const called = satellite.name ?? client;
  const path = `/admin/satellites/${encodeURIComponent(client)}`;
  return (
    <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>
        {t('More')}
        <span class="visually-hidden"> {t('of {satellite}|More', { satellite: called })}</span>
      </summary>
      {isOpen.value && (
        <>
          <Edit
            satellite={satellite}
            languages={languages}
            onKeep={(body) => onChange(path, { method: 'PATCH', body })}
          />
          <MuteFor called={called} onMute={(body) => void onChange(path, { method: 'PATCH', body })} />
          {connected && <Microphone house={house} path={path} called={called} />}
          {connected && <AnnounceHere house={house} satellite={satellite} />}
          <div class="row">
            <button
              type="button"
              disabled={!connected}
              onClick={() => void onChange(`${path}/sound`, { method: 'POST' })}
            >
              {t('Play a sound')}
              <span class="visually-hidden"> {t('on {satellite}|Play a sound', { satellite: called })}</span>
            </button>
            <ConfirmButton sure={t('Remove it?')} onConfirm={() => void onChange(path, { method: 'DELETE' })}>
              {t('Remove')}
              <span class="visually-hidden"> {called}</span>
            </ConfirmButton>
          </div>
        </>
      )}
    </details>
  );
}

const quarterMs = 15 * 60_000;
const hourMs = 60 * 60_000;

interface MuteForProps {
  called: string;
  onMute: (change: Change) => void;
}

/** Mutes for a time. The button beside the volume mutes until someone ends it. */
function MuteFor({ called, onMute }: MuteForProps) {
  const { timeZone, minuteWords } = useHouseholdTimes();
  const morningMs = nextMorning(Date.now(), timeZone);
  const times: readonly (readonly [words: string, mutedMs: () => number])[] = [
    [t('for 15 minutes|Mute'), () => quarterMs],
    [t('for an hour|Mute'), () => hourMs],
    [t('until {time}|Mute', { time: minuteWords(morningMs) }), () => morningMs - Date.now()],
  ];
  return (
    <fieldset class="row" aria-label={t('Mute {satellite}', { satellite: called })}>
      <span>{t('Mute')}</span>
      {times.map(([words, mutedMs]) => (
        <button key={words} type="button" onClick={() => onMute({ muted: true, muted_ms: mutedMs() })}>
          {words}
        </button>
      ))}
    </fieldset>
  );
}

/** Announces typed words in this satellite's room alone. */
function AnnounceHere({ house, satellite: { client, room } }: Pick<MoreProps, 'house' | 'satellite'>) {
  const field = useRef<HTMLInputElement>(null);
  const [status, trouble, isBusy] = [useSignal(''), useSignal(''), useSignal(false)];
  /** The quiet hours prevented the announcement. */
  const needsYes = useSignal(false);
  const own = house.keeper.device.value;
  // An announcement does not play on the satellite that sends it.
  if (room === null || client === own.name) return null;
  const announce = async (inQuietHours: boolean): Promise<void> => {
    const text = field.current?.value.trim() ?? '';
    if (text === '') return field.current?.focus();
    [isBusy.value, status.value, trouble.value, needsYes.value] = [true, '', '', false];
    try {
      status.value = await announceWords(house.caller, {
        text,
        rooms: [room],
        client: own.name,
        room: own.room === room ? '' : own.room,
        in_quiet_hours: inQuietHours,
      });
      if (field.current) field.current.value = '';
    } catch (error) {
      trouble.value = whyNotAnnounced(error);
      needsYes.value = isForQuietHours(error);
    }
    isBusy.value = false;
  };
  return (
    <form
      class="stack announce-here"
      onSubmit={(event) => {
        event.preventDefault();
        void announce(false);
      }}
    >
      <div class="typing">
        <input
          ref={field}
          aria-label={t('Words to say in {room}', { room })}
          placeholder={t('Say something there')}
          maxLength={500}
          autocomplete="off"
        />
        <button class="wide" type="submit" disabled={isBusy.value}>
          {t('Announce')}
          <span class="visually-hidden"> {t('in {room}|Announce', { room })}</span>
        </button>
      </div>
      <p class="small" role="status">
        {status}
      </p>
      <ErrorText text={trouble} />
      {needsYes.value && (
        <button type="button" onClick={() => void announce(true)}>
          {t('Announce anyway')}
          <span class="visually-hidden"> {t('in {room}|Announce', { room })}</span>
        </button>
      )}
    </form>
  );
}

interface EditProps extends Pick<MoreProps, 'satellite' | 'languages'> {
  onKeep: (change: Change) => Promise<boolean>;
}

function Edit({ satellite, languages, onKeep }: EditProps) {
  const { client, name, room, wake, chosen, connected } = satellite;
  const [called, place] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const [answers, spoken] = [useRef<HTMLSelectElement>(null), useRef<HTMLSelectElement>(null)];
  const isBusy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = (field: typeof called) => field.current?.value.trim() || null;
    const mode = modes.find(([each]) => each === answers.current?.value)?.[0] ?? null;
    isBusy.value = true;
    await onKeep({
      name: typed(called),
      // If the field is unchanged, the satellite keeps its own room.
      ...(typed(place) !== room && { room: typed(place) }),
      ...(answers.current && { wake: mode }),
      ...(spoken.current && { language: spoken.current.value || null }),
    });
    isBusy.value = false;
  };
  const hasOwnWay = connected && wake === null;
  return (
    <form class="new-token" noValidate onSubmit={(event) => void submit(event)}>
      <label>
        {t('Name')}
        <input
          ref={called}
          type="text"
          maxLength={40}
          autocomplete="off"
          defaultValue={name ?? ''}
          placeholder={client}
        />
      </label>
      <label>
        {t('Room')}
        <input ref={place} type="text" maxLength={100} autocomplete="off" defaultValue={room ?? ''} />
      </label>
      {!hasOwnWay && (
        <label class="whole">
          {t('It answers')}
          <select ref={answers}>
            <option value="">{asItChose(wake, chosen.wake)}</option>
            {modes.map(([mode, words]) => (
              <option key={mode} value={mode} selected={mode === chosen.wake}>
                {words()}
              </option>
            ))}
          </select>
        </label>
      )}
      {languages.length > 1 && (
        <label>
          {t('Language')}
          <select ref={spoken}>
            <option value="">{t('any of the household|Language')}</option>
            {languages.map((tag) => (
              <option key={tag} value={tag} selected={tag === chosen.language}>
                {languageWords(tag)}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" disabled={isBusy.value}>
        {t('Save')}
      </button>
    </form>
  );
}

/** The satellite's own value, which is known only if the household has set none. */
function asItChose(wake: Satellite['wake'], chosen: Satellite['wake']): string {
  const own = chosen === null ? modes.find(([mode]) => mode === wake)?.[1] : undefined;
  return own === undefined
    ? t('as set on the device|It answers')
    : t('as set on the device: {mode}|It answers', { mode: own() });
}

interface MicrophoneProps {
  house: House;
  path: string;
  called: string;
}

/** Polls only while it is shown, because the server measures only on request. */
function Microphone({ house, path, called }: MicrophoneProps) {
  const poll = useResource<Level>(house, `${path}/microphone`, levelEveryMs);
  return (
    <Loaded state={poll.state.value} what={t('its microphone|report')}>
      {({ level_db: db = null }) => (
        <p class="row">
          <span>{t('Microphone')}</span>
          <meter
            min={stillDb}
            max={0}
            value={db ?? stillDb}
            aria-label={t('The microphone of {satellite}', { satellite: called })}
            aria-valuetext={db === null ? t('not known') : t('{n} decibels', { n: Math.round(db) })}
          />
          <span class="quiet small percent">{db === null ? t('not known') : `${Math.round(db)} dB`}</span>
        </p>
      )}
    </Loaded>
  );
}
