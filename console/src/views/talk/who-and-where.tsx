import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../language/translate.ts';
import { onEscape } from '../../parts/on-escape.ts';

interface WhoAndWhereProps {
  name: string;
  room: string;
  onChoice: (choice: { name: string; room: string }) => void;
  onClose: () => void;
}

/** Changes this device's name and room. Escape closes it. */
export function WhoAndWhere({ name, room, onChoice, onClose }: WhoAndWhereProps) {
  const nameField = useRef<HTMLInputElement>(null);
  const roomField = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => roomField.current?.focus({ preventScroll: true }), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    onChoice({
      name: nameField.current?.value.trim() || name,
      room: roomField.current?.value.trim() ?? '',
    });
  };
  return (
    <form class="card who" onSubmit={submit} onKeyDown={onEscape(onClose)}>
      <h2>{t('This device')}</h2>
      <p class="quiet">
        {t(
          '“Turn off the light” then means this room. The name keeps this device’s conversation apart from others.',
        )}
      </p>
      <div class="fields">
        <div>
          <label for="device-room">{t('Room')}</label>
          <input
            id="device-room"
            ref={roomField}
            defaultValue={room}
            maxLength={100}
            placeholder={t('kitchen')}
            autocomplete="off"
          />
        </div>
        <div>
          <label for="device-name">{t('Name of this device')}</label>
          <input id="device-name" ref={nameField} defaultValue={name} maxLength={100} autocomplete="off" />
        </div>
      </div>
      <div class="row">
        <button class="primary" type="submit">
          {t('Save')}
        </button>
        <button class="plain" type="button" onClick={onClose}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
