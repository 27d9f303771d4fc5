import { type Signal, useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { ConnectHome } from '../../home-assistant/connect-home.tsx';
import { isActive, stateWords } from '../../home-assistant/thing-words.ts';
import type { House } from '../../house.ts';
import { t, tCount, tRich } from '../../language/translate.ts';
import { useFew } from '../../parts/few.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { hashOf } from '../../route.ts';

type AllThings = components['schemas']['Things'];
type Room = AllThings['rooms'][number];
type Thing = components['schemas']['Thing'];

/** Polling interval: a lamp that turns on shows soon after. */
const intervalMs = 3_000;
const fewRooms = 12;
const fewThings = 8;

/** The entities of Home Assistant that accept commands, by room, with their states. */
export function Things({ house }: { house: House }) {
  const isConnected = house.health.state.value.value?.configured?.home;
  const status = useSignal('');
  if (isConnected === undefined) return null;
  return isConnected ? (
    <Connected house={house} status={status} />
  ) : (
    <Connect house={house} status={status} />
  );
}

interface ConnectProps {
  house: House;
  /** The result of the form as a sentence. */
  status: Signal<string>;
}

/** Home Assistant is optional, so its form stays closed until someone wants it. */
function Connect({ house, status }: ConnectProps) {
  return (
    <details class="card">
      <summary>{t('Connect Home Assistant')}</summary>
      <ConnectHome house={house} onResult={(words) => (status.value = words)} />
    </details>
  );
}

function Connected({ house, status }: ConnectProps) {
  const poll = useResource<AllThings>(house, '/admin/home-assistant/things', intervalMs);
  if (poll.state.value.isMissing) return null;
  return (
    <section class="card stack" aria-labelledby="things">
      <h2 id="things">{t('Devices you can control')}</h2>
      {status.value !== '' && (
        <p class="well words" role="status">
          {status}
        </p>
      )}
      <Loaded state={poll.state.value} what="Home Assistant">
        {(things) => <All things={things} />}
      </Loaded>
    </section>
  );
}

function All({ things: { rooms = [], total = 0, limited = false } }: { things: Partial<AllThings> }) {
  const { shown, button, search, wanted } = useFew(rooms, fewRooms, t('rooms and devices|search'), {
    wordsOf: wordsOfRoom,
    size: total,
  });
  if (limited)
    return (
      <p class="quiet">
        {tRich(
          'The access token of Home Assistant does not belong to an administrator, so Hearth cannot list the devices. Commands work. {settings} accept another one.',
          { settings: <a href={hashOf('settings')}>{t('Settings')}</a> },
        )}
      </p>
    );
  if (total === 0)
    return (
      <p class="quiet">
        {t('Nothing is exposed to Assist. In Home Assistant, open Settings, Voice assistants, Expose.')}
      </p>
    );
  const count = rooms.reduce((sum, { things }) => sum + things.length, 0);
  return (
    <>
      {search}
      <div class="rooms-of-things">
        {shown.map((room) => (
          <OneRoom key={room.room ?? ''} room={withFound(room, wanted)} />
        ))}
      </div>
      {button}
      {count < total && (
        <p class="quiet small">
          {tCount(total - count, '{n} more is not shown.', '{n} more are not shown.')}
        </p>
      )}
    </>
  );
}

const wordsOfRoom = ({ room, things }: Room): string => [room, ...things.map(({ name }) => name)].join(' ');

/** The room with the things that match the search, or with all of them if the room matches. */
function withFound({ room, things }: Room, wanted: string): Room {
  const found = things.filter(({ name }) => name.toLowerCase().includes(wanted));
  return { room, things: found.length === 0 ? things : found };
}

function OneRoom({ room: { room, things } }: { room: Room }) {
  const place = room === null ? t('in no room|search') : t('in {room}|search', { room });
  const { shown, button } = useFew(things, fewThings, place);
  const title = room ?? t('Without a room');
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {shown.map((thing) => (
          <OneThing key={thing.id} thing={thing} />
        ))}
      </ul>
      {button}
    </section>
  );
}

function OneThing({ thing }: { thing: Thing }) {
  return (
    <li class="thing">
      <span class="words">{thing.name}</span>{' '}
      <span class={isActive(thing) ? 'small active' : 'small quiet'}>{stateWords(thing)}</span>
    </li>
  );
}
