import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { onEscape } from './on-escape.ts';

interface ConfirmButtonProps {
  children: ComponentChildren;
  /** The words on the second press: "Really forget". */
  sure: string;
  class?: string;
  disabled?: boolean;
  onConfirm: () => void;
}

/** Anyone who is not sure can press once without doing anything. */
const undecidedMs = 4_000;

/** A button for irreversible actions: it asks again, in its own place. Escape takes the press back. */
export function ConfirmButton({ children, sure, onConfirm, disabled, class: name }: ConfirmButtonProps) {
  const isAsking = useSignal(false);
  useEffect(() => {
    if (!isAsking.value) return undefined;
    const timer = setTimeout(() => {
      isAsking.value = false;
    }, undecidedMs);
    return () => clearTimeout(timer);
  }, [isAsking.value]);
  const press = (): void => {
    if (isAsking.value) onConfirm();
    isAsking.value = !isAsking.value;
  };
  const leave = (): void => {
    isAsking.value = false;
  };
  return (
    <button
      class={isAsking.value ? 'danger' : name}
      type="button"
      disabled={disabled}
      onClick={press}
      onKeyDown={onEscape(leave)}
    >
      {isAsking.value ? sure : children}
    </button>
  );
}
