import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';

/** Writes the tables of docs/settings.md from openapi.yaml, which has the truth about the settings: `npm run docs`. */
const contract = new URL('../openapi.yaml', import.meta.url);
const page = new URL('../docs/settings.md', import.meta.url);

/** What lies between these two is written here. */
const [begin, end] = ['<!-- the tables of openapi.yaml: npm run docs -->', '<!-- the end of the tables -->'];

const settingSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]),
  default: z.json(),
  description: z.string(),
  'x-group': z.string(),
  'x-unit': z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.looseObject({ maxLength: z.number().optional() }).optional(),
});
type Setting = z.infer<typeof settingSchema>;

const documentSchema = z.looseObject({
  components: z.looseObject({
    schemas: z.looseObject({ Pipeline: z.looseObject({ properties: z.record(z.string(), settingSchema) }) }),
  }),
});

function limits({ type, minimum, maximum, maxLength, maxItems, items, ...setting }: Setting): string {
  const unit = setting['x-unit'] === undefined ? '' : ` ${setting['x-unit']}`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}${unit}`;
  if (maxItems !== undefined) {
    const each = items?.maxLength === undefined ? '' : `, each up to ${items.maxLength} characters`;
    return `up to ${maxItems}${each}`;
  }
  if (maxLength !== undefined) return `up to ${maxLength} characters`;
  if (type === 'boolean') return '`true`, `false`';
  return '';
}

/** As it is written in JSON; what is not there is nothing. */
function shown(value: unknown): string {
  return value === null ? '-' : `\`${JSON.stringify(value)}\``;
}

function table(rows: readonly string[][]): string {
  const head = ['setting', 'default', 'may be', 'what it does'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function tables(): string {
  const { properties } = documentSchema.parse(parse(readFileSync(contract, 'utf8'))).components.schemas
    .Pipeline;
  const settings = Object.entries(properties);
  const groups = [...new Set(settings.map(([, setting]) => setting['x-group']))];
  return groups
    .map((group) => {
      const rows = settings
        .filter(([, setting]) => setting['x-group'] === group)
        .map(([key, setting]) => [
          `\`${key}\``,
          shown(setting.default),
          limits(setting),
          setting.description.replaceAll('|', '\\|'),
        ]);
      return `### ${group}\n\n${table(rows)}`;
    })
    .join('\n\n');
}

/** The page as it is, and as it should be. */
export function settingsPage(): { is: string; should: string } {
  const is = readFileSync(page, 'utf8');
  const [before, rest] = is.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the tables`);
  return { is, should: `${before}${begin}\n\n${tables()}\n\n${end}${after}` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, settingsPage().should);
