import { Icon } from './icon.tsx';

const name = 'Hearth';

/** The name of the program, with its flame. */
export function Brand() {
  return (
    <p class="brand">
      <Icon name="flame" /> {name}
    </p>
  );
}
