import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { markdownTable, writtenPart } from './written-part.ts';

const contract = new URL('../openapi.yaml', import.meta.url);

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

/** The value as JSON; a dash if there is none. */
function shown(value: unknown): string {
  return value === null ? '-' : `\`${JSON.stringify(value)}\``;
}

function tables(): string {
  const { properties } = documentSchema.parse(load(readFileSync(contract, 'utf8'))).components.schemas
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
      return `### ${group}\n\n${markdownTable(['setting', 'default', 'may be', 'what it does'], rows)}`;
    })
    .join('\n\n');
}

/** Every setting, for docs/settings.md, generated from openapi.yaml. */
export const settingsPart = writtenPart({ page: 'settings.md', from: 'openapi.yaml', text: tables });
