import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { onEscape } from './on-escape.ts';

interface ConfirmButtonProps {
  children: ComponentChildren;
  /** The label for the second press. */
  sure: string;
  class?: string;
  disabled?: boolean;
  onConfirm: () => void;
}

/**
 * A button for irreversible actions: it asks for confirmation in its own place, without a time limit. Escape,
 * a press elsewhere, or a change of focus cancels the first press.
 */
export function ConfirmButton({ children, sure, onConfirm, disabled, class: name }: ConfirmButtonProps) {
  const isAsking = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (): void => {
    isAsking.value = false;
  };
  useEffect(() => {
    if (!isAsking.value) return undefined;
    // Safari does not focus a pressed button, so the button cannot lose the focus.
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
      // The window lost the focus, which is not a decision.
      onBlur={() => document.hasFocus() && leave()}
    >
      {isAsking.value ? sure : children}
    </button>
  );
}
