import { gettext } from '../api/src/cli/gettext.ts';
import { knownLanguages, languageReport } from './language-report.ts';

// `make language L=pl`: prints what a language has and lacks, and how to complete it.
const [named = ''] = process.argv.slice(2);
const report = languageReport(named);
if (report) console.log(report.join('\n'));
else {
  const why =
    named === ''
      ? gettext('Name a language: make language L=pl.')
      : gettext('Hearth has no language "%s".', named);
  console.error([why, ...knownLanguages()].join('\n'));
  process.exit(1);
}
