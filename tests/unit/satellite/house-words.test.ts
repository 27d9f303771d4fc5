import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createLostWords, isAnswered } from '../../../satellite/house-words.ts';
import { readAll } from '../../support/clients/multipart.ts';
import { listenOnFreePort } from '../../support/servers/listen.ts';

const languages = pathToFileURL(`${resolve(import.meta.dirname, '../../../api/languages')}/`);
const hearMeIn = (tag: string) =>
  loadLanguage({ folder: new URL(`${tag}/`, languages) }).phrases.satellite.hear_me;

describe('a person was heard', () => {
  test.each([
    ['en', 'Yes.', true],
    ['en', 'Yeah, I do.', true],
    ['en', 'Can you hear me? Say yes. Yes.', true],
    ['en', 'Can you hear me? Say yes.', false],
    ['en', 'Say, yes.', false],
    ['en', 'Yesterday I was here.', false],
    ['en', '', false],
    ['de', 'Ja.', true],
    ['de', 'Sag ja! Ja, ich höre dich.', true],
    ['de', 'Kannst du mich hören? Sag ja.', false],
    ['de', 'Jakob', false],
    ['es', '¡Sí!', true],
    ['es', '¿Me oyes? Di sí.', false],
    ['fr', 'Oui, oui.', true],
    ['fr', "Est-ce que tu m'entends ? Dis oui.", false],
    ['it', 'Sì, ti sento.', true],
    ['it', 'Mi senti? Rispondi sì.', false],
    ['nl', 'Jazeker.', true],
    ['nl', 'Kun je me horen? Zeg ja.', false],
  ])('%s: "%s" is %s', (tag, transcript, isHeard) => {
    expect(isAnswered(transcript, hearMeIn(tag))).toBe(isHeard);
  });
});

describe('the sentence for an outage', () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** A server with the sentences of a language, and a voice that speaks the number of the sentence. */
  async function startHouse(lost: (language: string | null) => string | null) {
    const spoken: unknown[] = [];
    server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://house');
      if (pathname === '/satellite-words') {
        const language = searchParams.get('language');
        const hear_me = { question: '?', answer: ['yes'] };
        response.end(JSON.stringify({ language: language ?? 'en', lost: lost(language), hear_me }));
        return;
      }
      spoken.push(JSON.parse(String(await readAll(request))));
      response.end(Buffer.alloc(4_800, spoken.length));
    });
    const house = { url: new URL(await listenOnFreePort(server)), token: undefined };
    return { words: createLostWords(house), spoken };
  }

  test('is spoken once in each language that the household chooses', async () => {
    const { words, spoken } = await startHouse((language) => (language === 'de' ? 'Weg.' : 'Lost.'));

    const before = words.sound();
    await words.prepare(undefined);
    const first = words.sound();
    await words.prepare(undefined);
    await words.prepare('de');

    expect(before).toBeNull();
    expect(spoken).toMatchObject([
      { input: 'Lost.', language: 'en' },
      { input: 'Weg.', language: 'de' },
    ]);
    expect(first).not.toBeNull();
    expect(words.sound()).not.toEqual(first);
  });

  test('is missing in a language that has none', async () => {
    const { words, spoken } = await startHouse((language) => (language === 'el' ? null : 'Lost.'));
    await words.prepare(undefined);

    await words.prepare('el');

    expect(words.sound()).toBeNull();
    expect(spoken.length).toBe(1);
  });

  test('stays when the server does not answer', async () => {
    const { words } = await startHouse(() => 'Lost.');
    await words.prepare(undefined);
    server.close();
    server.closeAllConnections();

    await words.prepare('de');

    expect(words.sound()).not.toBeNull();
  });
});
