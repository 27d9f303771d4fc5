import { t } from '../language/translate.ts';
import type { System } from './system.ts';

export interface Step {
  text: string;
  /** The location of this step: the heading above it, the entry to tap, and the text below. */
  screen: { title: string; rows: readonly string[]; tap: number };
}

/**
 * The steps that install the certificate of the household. Menu names are those of systems in the page's
 * language.
 */
export const phoneStepsOf: Readonly<Record<System, () => readonly Step[]>> = {
  'iPhone or iPad': () => [
    {
      text: t('Tap “Get the certificate” in Safari, and allow the download.'),
      screen: {
        title: t('This website is trying to download a configuration profile.'),
        rows: [t('Ignore'), t('Allow')],
        tap: 1,
      },
    },
    {
      text: t('Open Settings. “Profile Downloaded” is near the top. Tap it, then Install.'),
      screen: {
        title: t('Settings'),
        rows: [t('Your name'), t('Profile Downloaded'), t('Wi-Fi'), t('Bluetooth')],
        tap: 1,
      },
    },
    {
      text: t('In Settings: General, About, Certificate Trust Settings. Switch on “Hearth at home”.'),
      screen: { title: t('Certificate Trust Settings'), rows: ['Hearth at home'], tap: 0 },
    },
  ],
  Android: () => [
    {
      text: t('Tap “Get the certificate”. It is saved to the downloads.'),
      screen: { title: t('Downloads'), rows: ['hearth-ca.crt'], tap: 0 },
    },
    {
      text: t(
        'Open Settings and search for “CA certificate”. It is under Security and privacy, More, Encryption and credentials, Install a certificate.',
      ),
      screen: {
        title: t('Install a certificate'),
        rows: [t('CA certificate'), t('VPN & app user certificate'), t('Wi-Fi certificate')],
        tap: 0,
      },
    },
    {
      text: t(
        'Tap “Install anyway”, and choose hearth-ca.crt. Android warns because any such authority could read along; this one can vouch for nothing outside your home.',
      ),
      screen: {
        title: t('Your data won’t be private'),
        rows: [t('Don’t install'), t('Install anyway')],
        tap: 1,
      },
    },
  ],
  Windows: () => [
    {
      text: t('Get the certificate, open the file, and press “Install Certificate…”.'),
      screen: { title: t('Certificate'), rows: [t('Install Certificate…'), t('OK')], tap: 0 },
    },
    {
      text: t(
        'Choose Current User, then “Place all certificates in the following store”, Browse, “Trusted Root Certification Authorities”.',
      ),
      screen: {
        title: t('Select Certificate Store'),
        rows: [t('Personal'), t('Trusted Root Certification Authorities'), t('Enterprise Trust')],
        tap: 1,
      },
    },
    {
      text: t('Finish, and answer Yes. Then start the browser again.'),
      screen: { title: t('Security Warning'), rows: [t('Yes'), t('No')], tap: 0 },
    },
  ],
  macOS: () => [
    {
      text: t('Get the certificate and open the file. Keychain Access adds it.'),
      screen: { title: t('Add Certificates'), rows: [t('Cancel'), t('Add')], tap: 1 },
    },
    {
      text: t('In Keychain Access, open “Hearth at home”, then Trust, and choose “Always Trust”.'),
      screen: {
        title: t('When using this certificate'),
        rows: [t('Use System Defaults'), t('Always Trust'), t('Never Trust')],
        tap: 1,
      },
    },
  ],
  Linux: () => [
    {
      text: t(
        'Get the certificate. In Chrome or Chromium: Settings, Privacy and security, Security, Manage certificates, and import it as trusted.',
      ),
      screen: {
        title: t('Local certificates'),
        rows: [t('Trusted Certificates'), t('Import'), 'hearth-ca.crt'],
        tap: 1,
      },
    },
    {
      text: t(
        'For all programs instead: copy it to /usr/local/share/ca-certificates/ and run sudo update-ca-certificates.',
      ),
      screen: {
        title: t('Terminal'),
        rows: ['sudo cp hearth-ca.crt /usr/local/…', 'sudo update-ca-certificates'],
        tap: 1,
      },
    },
  ],
  Firefox: () => [
    {
      text: t('Get the certificate. Firefox asks at once: choose “Trust this CA to identify websites”.'),
      screen: {
        title: t('Downloading Certificate'),
        rows: [t('Trust this CA to identify websites'), t('Trust this CA to identify email users')],
        tap: 0,
      },
    },
    {
      text: t(
        'If it only saves the file: Settings, Privacy & Security, View Certificates, Authorities, Import.',
      ),
      screen: {
        title: t('Certificate Manager'),
        rows: [t('Your Certificates'), t('Authorities'), t('Import…')],
        tap: 2,
      },
    },
  ],
};
