import { knownLanguages, languageReport } from './language-report.ts';

// `make language L=pl`: prints what a language has and lacks, and how to complete it.
const [named = ''] = process.argv.slice(2);
const report = languageReport(named);
if (report) console.log(report.join('\n'));
else {
  const why = named === '' ? 'Name a language: make language L=pl.' : `Hearth has no language "${named}".`;
  console.error([why, ...knownLanguages()].join('\n'));
  process.exit(1);
}
