import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

interface ErrorTextProps {
  /** The reason as a sentence; '' if nothing failed. */
  text: string | ReadonlySignal<string>;
  id?: string;
}

/** The reason for a failure. It scrolls into view when it appears. */
export function ErrorText({ text, id }: ErrorTextProps) {
  const place = useRef<HTMLParagraphElement>(null);
  const words = typeof text === 'string' ? text : text.value;
  useEffect(() => {
    if (words !== '') place.current?.scrollIntoView({ block: 'nearest' });
  }, [words]);
  return (
    <p ref={place} id={id} class="wrong words" role="alert">
      {words}
    </p>
  );
}
