import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ConnectHome } from '../../home-assistant/connect-home.tsx';
import type { House } from '../../house.ts';
import { hashOf } from '../../route.ts';

interface FirstStepsProps {
  house: House;
  onDone: () => void;
}

const cards = [TryIt, YourPhone, YourRooms] as const;

/** What comes after the first card, which asks for the name and the room: one card at a time. */
export function FirstSteps({ house, onDone }: FirstStepsProps) {
  const at = useSignal(0);
  const card = useRef<HTMLElement>(null);
  const Card = cards[at.value] ?? TryIt;
  const isLast = at.value === cards.length - 1;
  const goOn = (): void => {
    if (isLast) onDone();
    else at.value += 1;
  };
  useEffect(() => card.current?.focus({ preventScroll: true }), [at.value]);
  return (
    <section class="card stack first-steps" ref={card} tabIndex={-1} aria-labelledby="first-step">
      <p class="quiet small">{at.value + 2} of 4</p>
      <Card house={house} />
      <div class="row">
        <button class="primary" type="button" onClick={goOn}>
          {isLast ? 'Done' : 'Next'}
        </button>
        {!isLast && (
          <button class="plain" type="button" onClick={onDone}>
            Skip
          </button>
        )}
      </div>
    </section>
  );
}

function TryIt() {
  return (
    <>
      <h2 id="first-step">Try it</h2>
      <p>
        Hold the round button, speak, and let go. Or press one of the sentences below.{' '}
        <a href={hashOf('talk', 'sentences')}>What can I say?</a> has many more.
      </p>
    </>
  );
}

function YourPhone() {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  return (
    <>
      <h2 id="first-step">Your phone</h2>
      <p>
        {isHere
          ? 'This address works only on this machine. To talk from your phone, set a token with “make token”, start Hearth again, and open the page by this machine’s name.'
          : `Open ${location.origin} on your phone as well.`}{' '}
        You can type there at once. For the microphone, browsers want https.
      </p>
    </>
  );
}

function YourRooms({ house }: { house: House }) {
  const isConnected = house.health.state.value.value?.configured?.home === true;
  const told = useSignal('');
  return (
    <>
      <h2 id="first-step">Your rooms and Home Assistant</h2>
      <p class="well words" role="status">
        {told}
      </p>
      <p>
        {isConnected
          ? 'Home Assistant is connected: say “turn on the kitchen light”.'
          : 'If you have a Home Assistant, connect it, and Hearth switches your lights. You can also do so later, in Settings.'}{' '}
        <a href={hashOf('home')}>Home</a> shows the rooms that can hear you.
      </p>
      {!isConnected && <ConnectHome house={house} onConnected={(words) => (told.value = words)} />}
    </>
  );
}
