import nunjucks from 'nunjucks';

nunjucks.installJinjaCompat();
const environment = new nunjucks.Environment(null, { autoescape: false, throwOnUndefined: true });
environment.addFilter('string', (value: unknown) => String(value ?? ''));
environment.addFilter('count', (things: readonly unknown[] | string) => things.length);

/** The values in a response: the slots of its sentence. */
export type JinjaSlots = Readonly<Record<string, string | number>>;

/** A choice of three or more without brackets: "(one if first else two if second else three)". */
const choices = /\(([^()]* else [^()]* else [^()]*)\)/g;

/** The same with brackets around each later choice. */
function nested(choice: string): string {
  const parts = choice.split(' else ');
  return `(${parts.join(' else (')}${')'.repeat(parts.length)}`;
}

/** Jinja also allows a colon before the end of a tag, `[-1]` for the last item, and Python's methods. */
function inNunjucks(template: string): string {
  return template
    .replaceAll(/:\s*%\}/g, ' %}')
    .replaceAll(choices, (_whole, choice: string) => nested(choice))
    .replaceAll('[-1]', ' | last')
    .replaceAll('.strip()', ' | trim')
    .replaceAll('.lower()', ' | lower');
}

/** Fills a template of the community. Null: it says nothing, is not translated, or is not one we can read. */
export function fillJinja(template: string, slots: JinjaSlots): string | null {
  if (template.includes('TODO')) return null;
  try {
    const said = environment.renderString(inNunjucks(template), { slots });
    return said.replaceAll(/\s+/g, ' ').trim() || null;
  } catch {
    return null;
  }
}
