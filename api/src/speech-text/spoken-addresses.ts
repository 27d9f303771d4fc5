import type { SpeakingData } from '../language/speaking-schema.ts';
import type { Rule } from './rule.ts';

const address = /(?:https?|ftp):\/\/[^\s<>"*\]]{1,2000}|\bwww\.[^\s<>"*\]]{1,2000}/giu;
/** "github.com/foo" */
const bareAddress =
  /(?<![\p{L}\p{N}@./:-])[\p{L}\p{N}-]{2,63}(?:\.[\p{L}\p{N}-]{1,63}){0,2}\.\p{Ll}{2,10}\/[^\s<>"*\]]{0,2000}/gu;
const hostOf = /^(?:\w{2,5}:\/\/)?(?:www\.)?([^/?#:@]*)/i;
/** A host that people could type: a few labels, the last made of letters. */
const plainHost = /^(?=.{1,30}$)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+){0,2}\.\p{L}{2,}$/u;
const mail =
  /(?<![\p{L}\p{N}._%+-])(?:mailto:)?([\p{L}\p{N}._%+-]{1,64})@([\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4})/gu;
const closing = /[.,;:!?)'’”]+$/;

/** Reads an address aloud as the host alone, or as "a link". */
export function createAddressRule({ dot, at, link }: Pick<SpeakingData, 'dot' | 'at' | 'link'>): Rule {
  const spelled = (name: string) => name.replaceAll('.', ` ${dot} `);
  const sayLink = (whole: string): string => {
    const after = closing.exec(whole.slice(-10))?.[0] ?? '';
    const host = hostOf.exec(whole.slice(0, whole.length - after.length))?.[1] ?? '';
    return (plainHost.test(host) ? spelled(host) : link) + after;
  };
  return (text) =>
    text
      .replace(address, sayLink)
      .replace(bareAddress, sayLink)
      .replace(mail, (_, name: string, host: string) => `${spelled(name)} ${at} ${spelled(host)}`);
}
