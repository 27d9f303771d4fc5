import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { requiredScopes } from '../api/src/http/scopes.ts';
import { scopes } from '../api/src/tokens/device-token.ts';
import { writtenPart } from './written-part.ts';

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
});

/** Method and path of every operation, by its name. */
function addresses(): ReadonlyMap<string, string> {
  const { paths } = documentSchema.parse(
    load(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8')),
  );
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]): [string, string] => [
        operationId,
        `\`${method.toUpperCase()} ${path}\``,
      ]),
    ),
  );
}

const maxColumns = 150;

/** A list item, wrapped like the page. */
function point(text: string): string {
  const lines: string[] = [];
  let last = '-';
  for (const each of text.split(/(?<=,) /)) {
    if (last.length + each.length >= maxColumns) {
      lines.push(last);
      last = ' ';
    }
    last = `${last} ${each}`;
  }
  return [...lines, last].join('\n');
}

/** The scopes and their operations, for docs/access.md. */
export const scopesPart = writtenPart({
  page: 'access.md',
  from: 'api/src/http/scopes.ts',
  text: () => {
    const known = addresses();
    const opens = (need: string) =>
      Object.entries(requiredScopes)
        .flatMap(([id, each]) => (each === need ? [known.get(id) ?? id] : []))
        .join(', ');
    return [
      point(`**no token**: ${opens('open')}, the page`),
      ...scopes.map((scope, at) => point(`**\`${scope}\`**: ${at > 1 ? 'also ' : ''}${opens(scope)}`)),
    ].join('\n');
  },
});
