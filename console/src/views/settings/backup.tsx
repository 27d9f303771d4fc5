import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { downloadBackup } from '../../backup/download.ts';
import type { House } from '../../house.ts';
import { pageLocale, t, tCount, tRich } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';

type Restored = components['schemas']['RestoredBackup'];

/** The size limit of the server. */
const maxBytes = 64 * 1024 * 1024;
const withinMs = 600_000;
const megabyte = 1_000_000;

/** Saves all data of Hearth to a file, and restores it from one. */
export function Backup({ house }: { house: House }) {
  const { minuteWords } = useHouseholdTimes();
  const doing = useSignal('');
  const status = useSignal('');
  const trouble = useSignal('');
  const work = async (first: string, task: () => Promise<string>): Promise<void> => {
    if (doing.value !== '') return;
    [doing.value, status.value, trouble.value] = [first, '', ''];
    try {
      status.value = await task();
    } catch (error) {
      trouble.value = sentenceOf(error);
    } finally {
      doing.value = '';
    }
  };
  const download = () =>
    work(t('Making the backup …'), async () => {
      const name = await downloadBackup(house.caller, (count) => {
        doing.value = t('{size} MB downloaded …', { size: megabytes(count) });
      });
      return t('Saved as {name}. It holds what people said: keep it where only you can read it.', { name });
    });
  const restore = (file: File, passphrase: string) =>
    work(t('Restoring the backup …'), async () => {
      const { body } = await house.caller.call('/admin/backup', {
        method: 'POST',
        body: file,
        contentType: 'application/gzip',
        ...(passphrase !== '' && { headers: { 'x-backup-passphrase': base64Of(passphrase) } }),
        withinMs,
      });
      void house.settings.form.load();
      const restored = bodyOf<Restored>(body);
      const at = restored.made_at;
      return restoredWords(restored, at === undefined ? null : minuteWords(Date.parse(at)));
    });
  return (
    <section class="card stack" aria-labelledby="backup">
      <h2 id="backup">{t('Backup')}</h2>
      <p>
        {t(
          'A file with settings, conversations, timers, lists and access keys of devices, to keep elsewhere.',
        )}
      </p>
      <div>
        <button type="button" disabled={doing.value !== ''} onClick={() => void download()}>
          {t('Download a backup')}
        </button>
      </div>
      <p role="status" class="words">
        {doing.value || status.value}
      </p>
      {doing.value !== '' && <progress aria-label={t('Backup')} />}
      <ErrorText text={trouble} />
      <Restore
        isBusy={doing.value !== ''}
        onRestore={(file, passphrase) => void restore(file, passphrase)}
        onTrouble={trouble}
      />
      <p class="quiet small">
        {t('Hearth can make one every night: set “Time of the nightly backup” under “For experts”.')}
      </p>
      <p class="quiet small">
        {tRich(
          'Not in it: the access token of Home Assistant, the keys of voice devices, and the files secrets.env and .env. {command} on the machine that runs Hearth saves those, too.',
          { command: <code>make backup</code> },
        )}
      </p>
    </section>
  );
}

interface RestoreProps {
  isBusy: boolean;
  /** `passphrase`: '' if the file is not encrypted. */
  onRestore: (file: File, passphrase: string) => void;
  onTrouble: { value: string };
}

/** The first bytes of an encrypted file. */
const sealedMark = '{"hearth":"encrypted backup",';

function Restore({ isBusy, onRestore, onTrouble }: RestoreProps) {
  const field = useRef<HTMLInputElement>(null);
  const passphrase = useRef<HTMLInputElement>(null);
  const file = useSignal<File | null>(null);
  const isSealed = useSignal(false);
  const choose = async (): Promise<void> => {
    const chosen = field.current?.files?.[0] ?? null;
    onTrouble.value = chosen === null ? '' : whyUnfit(chosen);
    file.value = onTrouble.value === '' ? chosen : null;
    isSealed.value = (await chosen?.slice(0, sealedMark.length).text()) === sealedMark;
  };
  return (
    <details>
      <summary>{t('Restore a backup')}</summary>
      <div class="stack file-form">
        <p>
          {t(
            'This replaces everything that Hearth knows with the contents of the backup. Download a backup first if you may want to go back. Access keys that you have revoked since then work again.',
          )}
        </p>
        <label>
          {t('Backup file')}
          <input ref={field} type="file" disabled={isBusy} onChange={() => void choose()} />
        </label>
        {isSealed.value && (
          <label>
            {t('Passphrase of the backup')}
            <input ref={passphrase} type="password" maxLength={1_000} autocomplete="off" />
          </label>
        )}
        <div>
          <ConfirmButton
            sure={t('Replace everything?')}
            disabled={isBusy || file.value === null}
            onConfirm={() => file.value && onRestore(file.value, passphrase.current?.value ?? '')}
          >
            {t('Restore')}
          </ConfirmButton>
        </div>
      </div>
    </details>
  );
}

/** '': no problem found so far. */
function whyUnfit({ size }: File): string {
  if (size === 0) return t('This file is empty.');
  if (size <= maxBytes) return '';
  return t('This file is larger than 64 MB. “make restore” in Hearth’s folder can restore it.');
}

/** Headers accept only these characters. */
function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function restoredWords(
  { conversations = 0, lists = 0, timers = 0 }: Partial<Restored>,
  time: string | null,
): string {
  const held = [
    tCount(conversations, '{n} conversation', '{n} conversations'),
    tCount(lists, '{n} list', '{n} lists'),
    tCount(timers, '{n} timer', '{n} timers'),
  ].join(', ');
  return time === null
    ? t('Restored the backup: {held}.', { held })
    : t('Restored the backup of {time}: {held}.', { time, held });
}

function megabytes(bytes: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  return (bytes / megabyte).toLocaleString(pageLocale(), digits);
}
