/** A handler of key presses inside an element: Escape closes it. */
export function onEscape(close: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };
}
