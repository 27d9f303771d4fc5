import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { onEscape } from './on-escape.ts';

interface ConfirmButtonProps {
  children: ComponentChildren;
  /** The words on the second press: "Really forget". */
  sure: string;
  class?: string;
  disabled?: boolean;
  onConfirm: () => void;
}

/**
 * A button for irreversible actions: it asks again, in its own place, without a time limit. Escape, a press
 * elsewhere, or moving the focus takes the first press back.
 */
export function ConfirmButton({ children, sure, onConfirm, disabled, class: name }: ConfirmButtonProps) {
  const isAsking = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (): void => {
    isAsking.value = false;
  };
  useEffect(() => {
    if (!isAsking.value) return undefined;
    // Safari gives a pressed button no focus, so it cannot lose it either.
    const press = ({ target }: Event): void => {
      if (!(target instanceof Node) || !button.current?.contains(target)) leave();
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, [isAsking.value]);
  const press = (): void => {
    if (isAsking.value) onConfirm();
    isAsking.value = !isAsking.value;
  };
  return (
    <button
      ref={button}
      class={isAsking.value ? 'danger' : name}
      type="button"
      disabled={disabled}
      onClick={press}
      onKeyDown={onEscape(leave)}
      // Another window has the focus: the person has not decided.
      onBlur={() => document.hasFocus() && leave()}
    >
      {isAsking.value ? sure : children}
    </button>
  );
}
