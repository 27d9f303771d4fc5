import { t } from '../language/translate.ts';

/** The systems with different steps. */
export const systems = ['iPhone or iPad', 'Android', 'Windows', 'macOS', 'Linux', 'Firefox'] as const;
export type System = (typeof systems)[number];

/** The system of this device, from the name of its browser. Firefox on a computer keeps its own list. */
export function systemOf(agent: string, touchPoints: number): System {
  // An iPad claims to be a Mac, but a Mac has no touch screen.
  if (/iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1)) return 'iPhone or iPad';
  if (/Android/.test(agent)) return 'Android';
  if (/Firefox\//.test(agent)) return 'Firefox';
  if (/Windows/.test(agent)) return 'Windows';
  return /Macintosh/.test(agent) ? 'macOS' : 'Linux';
}

/** A system in words. */
export const systemWords = (system: System): string =>
  system === 'iPhone or iPad' ? t('iPhone or iPad') : system;

/** The default name of this device in the list of tokens. */
export function deviceName(agent: string, touchPoints: number): string {
  const system = systemOf(agent, touchPoints);
  if (system === 'iPhone or iPad') return /iPhone|iPod/.test(agent) ? 'iPhone' : 'iPad';
  if (system === 'Android') return /Mobile/.test(agent) ? t('Android phone') : t('Android tablet');
  if (system !== 'Firefox') return t('{system} computer', { system });
  return t('Computer with Firefox');
}
