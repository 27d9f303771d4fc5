import type { System } from './system.ts';

export interface Step {
  text: string;
  /** The location of this step: the heading above it, the entry to tap, and the text below. */
  screen: { title: string; rows: readonly string[]; tap: number };
}

/** The steps that install the certificate of the household. Menu names are those of the English systems. */
export const phoneStepsOf: Readonly<Record<System, readonly Step[]>> = {
  'iPhone or iPad': [
    {
      text: 'Tap “Get the certificate” in Safari, and allow the download.',
      screen: {
        title: 'This website is trying to download a configuration profile.',
        rows: ['Ignore', 'Allow'],
        tap: 1,
      },
    },
    {
      text: 'Open Settings. “Profile Downloaded” is near the top. Tap it, then Install.',
      screen: { title: 'Settings', rows: ['Your name', 'Profile Downloaded', 'Wi-Fi', 'Bluetooth'], tap: 1 },
    },
    {
      text: 'In Settings: General, About, Certificate Trust Settings. Switch on “Hearth at home”.',
      screen: { title: 'Certificate Trust Settings', rows: ['Hearth at home'], tap: 0 },
    },
  ],
  Android: [
    {
      text: 'Tap “Get the certificate”. It is saved to the downloads.',
      screen: { title: 'Downloads', rows: ['hearth-ca.crt'], tap: 0 },
    },
    {
      text: 'Open Settings and search for “CA certificate”. It is under Security and privacy, More, Encryption and credentials, Install a certificate.',
      screen: {
        title: 'Install a certificate',
        rows: ['CA certificate', 'VPN & app user certificate', 'Wi-Fi certificate'],
        tap: 0,
      },
    },
    {
      text: 'Tap “Install anyway”, and choose hearth-ca.crt. Android warns because any such authority could read along; this one can vouch for nothing outside your home.',
      screen: { title: 'Your data won’t be private', rows: ['Don’t install', 'Install anyway'], tap: 1 },
    },
  ],
  Windows: [
    {
      text: 'Get the certificate, open the file, and press “Install Certificate…”.',
      screen: { title: 'Certificate', rows: ['Install Certificate…', 'OK'], tap: 0 },
    },
    {
      text: 'Choose Current User, then “Place all certificates in the following store”, Browse, “Trusted Root Certification Authorities”.',
      screen: {
        title: 'Select Certificate Store',
        rows: ['Personal', 'Trusted Root Certification Authorities', 'Enterprise Trust'],
        tap: 1,
      },
    },
    {
      text: 'Finish, and answer Yes. Then start the browser again.',
      screen: { title: 'Security Warning', rows: ['Yes', 'No'], tap: 0 },
    },
  ],
  macOS: [
    {
      text: 'Get the certificate and open the file. Keychain Access adds it.',
      screen: { title: 'Add Certificates', rows: ['Cancel', 'Add'], tap: 1 },
    },
    {
      text: 'In Keychain Access, open “Hearth at home”, then Trust, and choose “Always Trust”.',
      screen: {
        title: 'When using this certificate',
        rows: ['Use System Defaults', 'Always Trust', 'Never Trust'],
        tap: 1,
      },
    },
  ],
  Linux: [
    {
      text: 'Get the certificate. In Chrome or Chromium: Settings, Privacy and security, Security, Manage certificates, and import it as trusted.',
      screen: {
        title: 'Local certificates',
        rows: ['Trusted Certificates', 'Import', 'hearth-ca.crt'],
        tap: 1,
      },
    },
    {
      text: 'For all programs instead: copy it to /usr/local/share/ca-certificates/ and run sudo update-ca-certificates.',
      screen: {
        title: 'Terminal',
        rows: ['sudo cp hearth-ca.crt /usr/local/…', 'sudo update-ca-certificates'],
        tap: 1,
      },
    },
  ],
  Firefox: [
    {
      text: 'Get the certificate. Firefox asks at once: choose “Trust this CA to identify websites”.',
      screen: {
        title: 'Downloading Certificate',
        rows: ['Trust this CA to identify websites', 'Trust this CA to identify email users'],
        tap: 0,
      },
    },
    {
      text: 'If it only saves the file: Settings, Privacy & Security, View Certificates, Authorities, Import.',
      screen: { title: 'Certificate Manager', rows: ['Your Certificates', 'Authorities', 'Import…'], tap: 2 },
    },
  ],
};
