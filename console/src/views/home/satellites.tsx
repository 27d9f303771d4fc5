import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { isGeneratedName } from '../../live/device.ts';
import { useChanges } from '../../parts/change.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useFew } from '../../parts/few.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import type { Poll } from '../../server/poll.ts';
import { SatelliteMore } from './satellite-more.tsx';

type Satellite = components['schemas']['Satellite'];
type Found = components['schemas']['Satellites'];
type Change = components['schemas']['SatelliteChange'];

const intervalMs = 5_000;
/** Number of satellites shown at first. Connected ones come before the others. */
const fewSatellites = 6;

/** How long the list waits for the connection of this page. */
const maxConnectMs = 1_000;

/** Lists the rooms and the devices that listen in them. */
export function Satellites({ house }: { house: House }) {
  const poll = useResource<Found>(house, '/admin/satellites', intervalMs);
  const isFromNow = !house.reach.isLost.value && poll.state.value.trouble === null;
  const isHere = house.talk.live.value.kind === 'open';
  const isSettled = useSignal(false);
  // This page is a satellite, too.
  useEffect(() => {
    const settle = (): void => {
      isSettled.value = true;
    };
    if (isHere) void poll.ask().finally(settle);
    const timer = setTimeout(settle, maxConnectMs);
    return () => clearTimeout(timer);
  }, [isHere, poll]);
  return (
    <section class="card stack" aria-labelledby="rooms">
      <h2 id="rooms">{t('Rooms')}</h2>
      <Loaded
        state={isSettled.value ? poll.state.value : { ...poll.state.value, value: null }}
        what={t('its rooms|report')}
      >
        {({ satellites = [], languages = [] }) =>
          satellites.every(isLeftOver) ? (
            <p class="quiet">
              {t('No device with a name has connected yet. This page becomes one when you name it.')}
            </p>
          ) : (
            <All
              house={house}
              satellites={satellites.filter((each) => !isLeftOver(each))}
              languages={languages}
              isFromNow={isFromNow}
              poll={poll}
            />
          )
        }
      </Loaded>
    </section>
  );
}

/** A page that was opened once and never got a name or a room. */
const isLeftOver = ({ client, connected, name, room }: Satellite): boolean =>
  !connected && name === null && room === null && isGeneratedName(client);

interface AllProps {
  house: House;
  satellites: readonly Satellite[];
  languages: readonly string[];
  /** Whether the state is current. Otherwise the satellite may have disconnected. */
  isFromNow: boolean;
  poll: Pick<Poll<object>, 'ask'>;
}

function All({ house, satellites, languages, isFromNow, poll }: AllProps) {
  const sorted = satellites.toSorted((one, other) => Number(other.connected) - Number(one.connected));
  const { shown, button, search } = useFew(sorted, fewSatellites, t('devices|search'), { wordsOf });
  return (
    <>
      {search}
      <ul class="items">
        {shown.map((satellite) => (
          <One
            key={satellite.client}
            house={house}
            satellite={satellite}
            languages={languages}
            isFromNow={isFromNow}
            poll={poll}
          />
        ))}
      </ul>
      {button}
    </>
  );
}

const wordsOf = ({ client, name, room }: Satellite): string => [room, name, client].join(' ');

interface OneProps extends Omit<AllProps, 'satellites'> {
  satellite: Satellite;
}

function One({ house, satellite, languages, isFromNow, poll }: OneProps) {
  const { minuteWords } = useHouseholdTimes();
  const { trouble, change } = useChanges(house, poll);
  const { client, name, room, volume, muted, connected } = satellite;
  const called = name ?? client;
  const set = (body: Change) =>
    void change(`/admin/satellites/${encodeURIComponent(client)}`, { method: 'PATCH', body });
  return (
    <li class="satellite">
      <p class="words">
        <strong>{room ?? called}</strong>
        {room !== null && <span class="quiet small"> {called}</span>}
        <br />
        <span class={connected && isFromNow ? 'small well' : 'small quiet'}>
          {isFromNow ? presence(satellite, minuteWords) : t('Not known')}
        </span>
      </p>
      <div class="loudness">
        <input
          type="range"
          min="0"
          max="100"
          step="5"
          value={volume}
          aria-label={t('Volume of {satellite}', { satellite: called })}
          aria-valuetext={t('{n} percent', { n: volume })}
          onChange={({ currentTarget }) => set({ volume: currentTarget.valueAsNumber })}
        />
        <span class="quiet small percent">{volume} %</span>
        <button type="button" aria-pressed={muted} onClick={() => set({ muted: !muted })}>
          {muted ? t('Unmute') : t('Mute')}
          <span class="visually-hidden"> {called}</span>
        </button>
      </div>
      <ErrorText text={trouble} />
      <SatelliteMore house={house} satellite={satellite} languages={languages} onChange={change} />
    </li>
  );
}

/** Its connection state, and until when it is muted. */
function presence(
  { connected, connected_since, seen_at, muted, muted_until }: Satellite,
  minuteWords: (ms: number) => string,
): string {
  const timeOf = (iso: string | null) => iso && minuteWords(Date.parse(iso));
  const there = connected ? connectedWords(timeOf(connected_since)) : awayWords(timeOf(seen_at));
  if (!muted) return there;
  const time = timeOf(muted_until);
  return `${there}, ${time ? t('muted until {time}', { time }) : t('muted')}`;
}

const connectedWords = (time: string | null): string =>
  time ? t('Connected since {time}', { time }) : t('Connected');

const awayWords = (time: string | null): string =>
  time ? t('Not connected, last seen {time}', { time }) : t('Not connected');
