import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface ConfirmButtonProps {
  children: ComponentChildren;
  /** What the second press says: "Really forget". */
  sure: string;
  class?: string;
  disabled?: boolean;
  onConfirm: () => void;
}

/** Somebody who is not sure presses once and has not done anything. */
const undecidedMs = 4_000;

/** A button for what cannot be taken back: it asks once more, in its own place. */
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
  return (
    <button class={isAsking.value ? 'danger' : name} type="button" disabled={disabled} onClick={press}>
      {isAsking.value ? sure : children}
    </button>
  );
}
