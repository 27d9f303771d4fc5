import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { communityLocale } from './community-words.ts';

/** Larger numbers are seldom said in a command, and speech recognition writes them in digits. */
const maxSpelled = 100;
/** Rule sets refer to each other. Deeper means that one refers to itself. */
const maxDepth = 20;

const ruleSetsSchema = z
  .object({ rbnf: z.object({ rbnf: z.object({ SpelloutRules: z.record(z.string(), z.unknown()) }) }) })
  .transform(({ rbnf }) => rbnf.rbnf.SpelloutRules);
const rulesSchema = z.array(z.tuple([z.string(), z.string()]));

/** A rule for the numbers from `base` on: "21" or, with its radix, "80/20", and a text with substitutions. */
interface Rule {
  base: number;
  divisor: number;
  text: string;
}
type RuleSets = ReadonlyMap<string, readonly Rule[]>;

/** Languages that CLDR names differently. */
const cldrNames: Readonly<Record<string, string>> = { nb: 'no', 'zh-TW': 'zh-Hant', 'zh-HK': 'zh-Hant' };

/**
 * The numbers up to 100 in words, in every form that CLDR knows: "dwa", "dwie", "dwóch". Empty: it has no
 * rules for this language.
 *
 * Source: the rule-based number formats of CLDR, in unicode.org/reports/tr35/tr35-numbers.html
 */
export function spelledNumbers(tag: string): Readonly<Record<string, number>> {
  const sets = ruleSetsIn(tag);
  const found: Record<string, number> = {};
  for (const name of sets.keys()) {
    if (!/^%spellout-(?:cardinal|numbering)/.test(name)) continue;
    for (let number = 0; number <= maxSpelled; number += 1) {
      const text = spell(number, { sets, name, tag, depth: 0 });
      if (text !== null && !/\d/.test(text)) found[text] ??= number;
    }
  }
  return found;
}

function ruleSetsIn(tag: string): RuleSets {
  const require = createRequire(import.meta.url);
  const name = [cldrNames[tag], tag, tag.split('-')[0]].find((each) => each !== undefined && isThere(each));
  if (name === undefined) return new Map();
  const sets = ruleSetsSchema.parse(JSON.parse(readFileSync(require.resolve(fileOf(name)), 'utf8')));
  return new Map(
    Object.entries(sets).flatMap(([set, given]) => {
      const rules = rulesSchema.safeParse(given).data;
      return rules ? [[set, rules.flatMap(ruleOf)] as const] : [];
    }),
  );

  function isThere(each: string): boolean {
    try {
      return require.resolve(fileOf(each)) !== '';
    } catch {
      return false;
    }
  }
}

const fileOf = (name: string) => `cldr-rbnf/rbnf/${name}.json`;

/** Rules for negative numbers and fractions have no plain base. */
function ruleOf([given, text]: [string, string]): Rule[] {
  const [, base, radix = '10'] = /^(\d+)(?:\/(\d+))?$/.exec(given) ?? [];
  if (base === undefined) return [];
  let divisor = 1;
  while (divisor * Number(radix) <= Number(base)) divisor *= Number(radix);
  return [{ base: Number(base), divisor, text: text.replace(/^'/, '').replace(/;$/, '') }];
}

interface Spelling {
  sets: RuleSets;
  name: string;
  tag: string;
  depth: number;
}

/** Substitutions: the quotient, the rest, the same number, and a word by plural form. */
const substitution = /←(%[^←]*)?←|→(%[^→]*)?→|=(%[^=]*)=|\$\(cardinal,((?:[^()$]|\{[^}]*\})*)\)\$/g;

/** A number by a rule set. Null: it needs a kind of rule that we do not read. */
function spell(number: number, spelling: Spelling): string | null {
  const { sets, name, tag, depth } = spelling;
  const rules = sets.get(name) ?? [];
  const at = rules.findLastIndex(({ base }) => base <= number);
  const rule = rolledBack(rules, at, number);
  if (!rule || depth > maxDepth) return null;
  const [quotient, rest] = [Math.floor(number / rule.divisor), number % rule.divisor];
  const text = rule.text.replaceAll(/\[([^\]]*)\]/g, (_whole, optional: string) =>
    rest === 0 ? '' : optional,
  );
  if (/→→→|[#0]/.test(text)) return null;
  let isRead = true;
  const inSet = (value: number, set: string | undefined): string => {
    const said = spell(value, { ...spelling, name: set ?? name, depth: depth + 1 });
    isRead &&= said !== null;
    return said ?? '';
  };
  const said = text.replaceAll(substitution, (whole, ofQuotient, ofRest, ofSame, plurals) => {
    if (whole.startsWith('←')) return inSet(quotient, ofQuotient);
    if (whole.startsWith('→')) return inSet(rest, ofRest);
    return whole.startsWith('=') ? inSet(number, ofSame) : pluralIn(String(plurals), quotient, tag);
  });
  return isRead ? said.replaceAll(/[\u00ad\u200b]/g, '') : null;
}

/** A rule for tens and ones does not fit whole tens, so the previous rule applies. */
function rolledBack(rules: readonly Rule[], at: number, number: number): Rule | undefined {
  const rule = rules[at];
  if (!rule) return undefined;
  const hasBoth = rule.text.includes('←') && rule.text.includes('→');
  return hasBoth && number % rule.divisor === 0 && rule.base % rule.divisor !== 0 ? rules[at - 1] : rule;
}

/** The word for a count in "one{…}few{…}other{…}". */
function pluralIn(forms: string, count: number, tag: string): string {
  const wanted = new Intl.PluralRules(communityLocale(tag)).select(count);
  const found = new Map(
    [...forms.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, form = '', word = '']) => [form, word]),
  );
  return found.get(wanted) ?? found.get('other') ?? '';
}
