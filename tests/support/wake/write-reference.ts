import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askLibrary } from './reference.ts';
import { referenceSounds } from './sounds.ts';
import { wakeWordFolder } from './words.ts';

/*
 * Writes reference.json, the results of the C library for the reference sounds:
 *
 *   python3 -m venv /tmp/wake && /tmp/wake/bin/pip install pymicro-wakeword==2.5.0
 *   TEST_MODELS_DIR=.test-models node tests/support/wake/write-reference.ts /tmp/wake/bin/python && make format
 */
const said = askLibrary(referenceSounds(), { python: process.argv[2] ?? 'python3', models: wakeWordFolder });
writeFileSync(
  join(import.meta.dirname, 'reference.json'),
  `${JSON.stringify(Object.fromEntries(said), null, 1)}\n`,
);
