/** Translates messages. They are English if the file of the api was not copied beside this folder. */
export const { gettext } = await import('../api/src/cli/gettext.ts').catch(() => ({ gettext: inEnglish }));

function inEnglish(text: string, ...values: readonly (string | number)[]): string {
  let at = 0;
  return text.replaceAll('%s', () => String(values[at++] ?? ''));
}
