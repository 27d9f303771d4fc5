import type { House } from '../../house.ts';
import { browserLanguage, choosePageLanguage, chosenLanguage } from '../../language/page-language.ts';
import { pageLanguages, t, tRich } from '../../language/translate.ts';
import { hashOf } from '../../route.ts';

/** The choices kept on this device alone. */
export function ThisDevice({ house }: { house: House }) {
  const { name, room } = house.keeper.device.value;
  return (
    <section class="stack" aria-labelledby="device">
      <h3 id="device">{t('This device')}</h3>
      <p>
        {room === ''
          ? t('This device is “{name}”.', { name })
          : t('This device is “{name}” in the room “{room}”.', { name, room })}{' '}
        {tRich('You can change its name and room in {link}.', {
          link: <a href={hashOf('talk')}>{t('Talk')}</a>,
        })}
      </p>
      <PageLanguageChoice />
      <p>
        <a href={`?step=1${hashOf('talk')}`}>{t('Go through the first steps again')}</a>
      </p>
      <p class="quiet small">
        {tRich('A phone is lost, or a device is gone? Revoke its access key under {link}.', {
          link: <a href={hashOf('settings', 'health')}>{t('Health')}</a>,
        })}
      </p>
      {house.hasToken() && (
        <div>
          <button type="button" onClick={house.leave}>
            {t('Forget the access key on this device')}
          </button>
        </div>
      )}
    </section>
  );
}

/** The name of a language in itself: "Deutsch", "Français". */
function ownName(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return name.replace(/^./u, (letter) => letter.toLocaleUpperCase(tag));
}

/** Chooses the language of the page on this device. The choice loads the page again. */
function PageLanguageChoice() {
  return (
    <label>
      {t('Language of this page')}
      <select
        value={chosenLanguage() ?? ''}
        onChange={({ currentTarget: { value } }) =>
          choosePageLanguage(pageLanguages.find((each) => each === value) ?? null)
        }
      >
        <option value="">{t('The browser’s ({language})', { language: ownName(browserLanguage()) })}</option>
        {pageLanguages.map((each) => (
          <option key={each} value={each} lang={each}>
            {ownName(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
