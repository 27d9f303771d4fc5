import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { createUnsupported } from '../../../../api/src/respond/unsupported/unsupported.ts';

/** Sentences of a person after an answer, and those of a television beside it. */
const sentences = {
  en: {
    requests: [
      'And who built it?',
      'and who built it',
      'who was her husband',
      'Tell me more.',
      'Explain that to a child.',
      'I need an idea for dinner.',
      'Could you say that in French',
      'Write a poem about it.',
      "Let's play twenty questions.",
      'In Rome?',
      'My car is dead, can you tell me how to start it',
    ],
    remarks: [
      'The police are looking for two men.',
      'She never came back to the village.',
      'And in the north it will rain until the evening.',
      'He told me everything last night.',
      'That was the news.',
      'He came home, tired and hungry.',
    ],
  },
  de: {
    requests: ['Und wer hat es gebaut?', 'Erzähl mir mehr.', 'Kannst du das erklären', 'wie alt war er'],
    remarks: ['Die Polizei sucht zwei Männer.', 'Sie kam nie wieder zurück.', 'Das waren die Nachrichten.'],
  },
  es: {
    requests: ['¿Y quién lo construyó?', 'Cuéntame más.', 'puedes explicarlo'],
    remarks: ['La policía busca a dos hombres.', 'Ella nunca volvió al pueblo.'],
  },
  fr: {
    requests: ["Et qui l'a construit ?", 'Raconte-moi une histoire.', 'peux-tu expliquer cela'],
    remarks: ['La police cherche deux hommes.', "Elle n'est jamais revenue au village."],
  },
  it: {
    requests: ["E chi l'ha costruito?", 'Dimmi di più.', 'puoi spiegarlo'],
    remarks: ['La polizia cerca due uomini.', 'Lei non è mai tornata al villaggio.'],
  },
  nl: {
    requests: ['En wie heeft het gebouwd?', 'Vertel me meer.', 'kun je dat uitleggen'],
    remarks: ['De politie zoekt twee mannen.', 'Zij kwam nooit meer terug.'],
  },
} as const;

describe.each(Object.entries(sentences))('in %s', (tag, { requests, remarks }) => {
  const language = loadLanguage({ folder: new URL(`../../../../api/languages/${tag}/`, import.meta.url) });
  const unsupported = createUnsupported({ language });
  const mayBeRequest = (text: string) =>
    unsupported.mayBeRequest({
      turn: {
        ...{ id: 'one', source: 'listen', text, isSure: true, conversation: null, room: null },
        ...{ createdAt: 0, deadlineAt: 0, replyTo: 'api', streams: false, speaks: true },
        ...{ isTentative: false, revision: 0 },
      },
      exchanges: [],
    });

  test.each(requests)('"%s" may be a request', (text) => {
    expect(mayBeRequest(text)).toBe(true);
  });

  test.each(remarks)('"%s" is a remark', (text) => {
    expect(mayBeRequest(text)).toBe(false);
  });
});
