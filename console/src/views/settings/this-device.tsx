import type { House } from '../../house.ts';
import { hashOf } from '../../route.ts';

/** The choices kept on this device alone. */
export function ThisDevice({ house }: { house: House }) {
  const { name, room } = house.keeper.device.value;
  return (
    <section class="card stack" aria-labelledby="device">
      <h2 id="device">This device</h2>
      <p>
        It is called “{name}”{room === '' ? '' : ` and stands in the room “${room}”`}.{' '}
        <a href={hashOf('talk')}>Talk</a> is where you change that.
      </p>
      {house.hasToken() && (
        <div>
          <button type="button" onClick={house.leave}>
            Forget the token on this device
          </button>
        </div>
      )}
    </section>
  );
}
