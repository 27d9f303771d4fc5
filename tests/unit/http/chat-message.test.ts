import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../api/src/errors.ts';
import {
  earlierExchanges,
  endOfChat,
  isClientTask,
  lastUserWords,
} from '../../../api/src/http/chat-message.ts';

const user = (content: unknown) => ({ role: 'user', content });

function codeOf(messages: Parameters<typeof lastUserWords>[0]): string {
  try {
    return `answered: ${lastUserWords(messages)}`;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('the last user message', () => {
  test('is the only one that counts', () => {
    const words = lastUserWords([
      { role: 'system', content: 'You are a pirate.' },
      user('What is the capital of Spain?'),
      { role: 'assistant', content: 'Madrid.' },
      user('And of France?'),
      { role: 'assistant', content: 'Paris.' },
      { role: 'tool', content: '42' },
    ]);

    expect(words).toBe('And of France?');
  });

  test.each<[kind: string, content: unknown, words: string]>([
    ['text', 'Hello.', 'Hello.'],
    ['text with white space round it', ' \n Hello.\t ', 'Hello.'],
    ['a number', 42, '42'],
    ['a boolean', false, 'false'],
    ['an object with a text', { type: 'text', text: 'Hello.' }, 'Hello.'],
    [
      'text parts',
      [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'two.' },
      ],
      'One\ntwo.',
    ],
    ['plain texts in a list', ['One', 'two.'], 'One\ntwo.'],
    [
      'text and an image',
      [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'text', text: 'What is this?' },
      ],
      'What is this?',
    ],
    ['parts of every other kind', [null, 1, true, [], {}, { text: 5 }, { type: 'text', text: 'Hi.' }], 'Hi.'],
    ['control characters and half characters', 'A\u0000\u001b[31m\ud800B\r\n\tC', 'A[31mB\r\n\tC'],
    ['a whole surrogate pair', '🐱', '🐱'],
  ])('may be %s', (_kind, content, words) => {
    expect(lastUserWords([user(content)])).toBe(words);
  });

  test.each<[kind: string, content: unknown]>([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['white space', ' \n\t '],
    ['control characters only', '\u0000\u0007'],
    ['an empty list', []],
    ['an image only', [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }]],
    ['an object without a text', { type: 'input_audio' }],
    ['a text that is not text', { text: ['Hello.'] }],
  ])('is refused when it is %s', (_kind, content) => {
    expect(codeOf([user('An earlier question.'), user(content)])).toBe('no_user_message');
  });

  test.each<[what: string, messages: Parameters<typeof lastUserWords>[0]]>([
    ['no messages', []],
    [
      'none of a user',
      [
        { role: 'system', content: 'Hi' },
        { role: 'User', content: 'Hi' },
      ],
    ],
  ])('is missing among %s', (_what, messages) => {
    expect(codeOf(messages)).toBe('no_user_message');
  });

  test('is refused when it is too long to be typed', () => {
    expect(codeOf([user('a'.repeat(100_000))])).toBe(`answered: ${'a'.repeat(100_000)}`);
    expect(codeOf([user('a'.repeat(100_001))])).toBe('question_too_long');
  });

  test('contains words without control characters, or is refused', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (content) => {
        const outcome = codeOf([user(content)]);

        expect(outcome).toMatch(/^(no_user_message|answered: \S)/);
        expect(outcome).not.toMatch(/[^\P{Cc}\t\n\r]|\p{Cs}/u);
      }),
    );
  });
});

describe('a task of Open WebUI', () => {
  const choosing = {
    role: 'system',
    content: 'Available Tools: [{"name":"time"}]\n\nYour task is to choose and return the correct tool(s)',
  };

  test.each([
    ['a title', '### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.'],
    ['tags', '### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.'],
    ['follow-ups', '### Task:\nSuggest 3-5 relevant follow-up questions or prompts.'],
    [
      'queries',
      '### Task:\nAnalyze the chat history to determine the necessity of generating search queries.',
    ],
    ['autocompletion', '### Task:\nYou are an autocompletion system. Continue the text in `<text>`.'],
    ['a picture', '### Task:\nGenerate a detailed prompt for am image generation task.'],
    [
      'a face',
      "Your task is to reflect the speaker's likely facial expression through a fitting emoji (e.g., 😊).\n\nMessage: ```Set a timer for five minutes.```",
    ],
    [
      'several answers made one',
      'You have been provided with a set of responses from various models to the latest user query: "Add milk\nand eggs"\n\nYour task is to synthesize these responses into a single, high-quality response.',
    ],
    [
      'a tool to choose',
      'Available Tools: [{"name":"time"}]\n\nYour task is to choose and return the correct tool(s)',
    ],
    [
      'an older title',
      'Here is the query:\nSet a timer\n\nCreate a concise, 3-5 word phrase with an emoji as a title.',
    ],
    [
      "LibreChat's title",
      'Provide a concise, 5-word-or-less title for the conversation, using title case conventions. Only return the title itself.\n\nConversation:\nUser: Set a timer',
    ],
    [
      "LibreChat's language and title",
      'Analyze this conversation and provide:\n1. The detected language of the conversation\n2. A concise title',
    ],
    [
      "NextChat's title",
      'Please generate a four to five word title summarizing our conversation without any lead-in, punctuation or quotation marks.',
    ],
    [
      "NextChat's summary",
      'Summarize the discussion briefly in 200 words or less to use as a prompt for future context.',
    ],
    [
      "Chatbox's name",
      "Based on the chat history, give this conversation a name.\nKeep it short - 10 characters max, no quotes.\nHere's the conversation: Set a timer",
    ],
    [
      "DeepChat's title",
      "You need to summarize the user's conversation into a title of no more than 10 words, here is the conversation:\nuser: Set a timer",
    ],
    [
      "Continue's title",
      'Given the following... please reply with a title for the chat that is 3-4 words in length, all words used should be directly related.\n\nTimer set.',
    ],
    ['a changed prompt', 'Name this chat.\n<chat_history>\nUSER: Set a timer.\n</chat_history>'],
  ])('differs from a question: %s', (_what, words) => {
    expect(isClientTask([user(words)])).toBe(true);
  });

  test.each([
    ['about documents', '### Task:\nRespond to the user query using the provided context.'],
    ['with the same words later', 'What does "### Task:" mean?'],
    ['about a title', 'Write a title for our conversation.'],
    [
      'about another title',
      'Please suggest a title for my story about a fox who ran over the hill and into the wood where it met a bear.',
    ],
    [
      'about a summary',
      'Summarize the discussion about the new kitchen that we had before in a few words, please.',
    ],
    ['about a task', 'Your task is to clean my room.'],
    ['that begins like an answer to a task', 'Query: what is that?'],
  ])("is not a person's question %s", (_what, words) => {
    expect(isClientTask([user(words)])).toBe(false);
  });

  test.each([
    [
      'LobeChat',
      'You are a professional conversation summarizer. Generate a concise title that captures the essence of the conversation.\n\nRules:\n- Maximum 10 words',
    ],
    [
      'Cherry Studio',
      "You are an assistant skilled in conversation. You need to summarize the user's conversation into a title within 10 words.",
    ],
    [
      "Vercel's template",
      'you will generate a short title based on the first message a user begins a conversation with',
    ],
    [
      'a chat template',
      "You generate short, clear titles for new chat sessions.\n\nGiven the user's first message, create a title.",
    ],
    [
      'another chat template',
      'You are a helpful assistant that generates concise, descriptive titles for chat conversations.\nYour task is to analyze the message',
    ],
  ])('is what %s has named by its instructions', (_who, content) => {
    const instructions = { role: 'system', content };
    const command = user('Set a timer for five minutes.');

    expect(isClientTask([instructions, command])).toBe(true);
    expect(isClientTask([instructions, command, { role: 'assistant', content: 'Done.' }, command])).toBe(
      false,
    );
  });

  test.each([
    'You are a voice assistant. Answer in the language of the conversation.',
    'You write titles for books.',
    'You are Al. In this conversation you turn on lights.',
  ])('is not a question after other instructions: %s', (content) => {
    expect(isClientTask([{ role: 'system', content }, user('Set a timer for five minutes.')])).toBe(false);
  });

  test('may come after the list of tools', () => {
    expect(isClientTask([choosing, user('Query: Turn on the light')])).toBe(true);
    expect(isClientTask([choosing, user('Turn on the light')])).toBe(false);
  });
});

describe('the end of a chat', () => {
  const [asked, told] = [user('Set a timer.'), { role: 'assistant', content: 'Timer, five minutes.' }];
  const called = { role: 'assistant', content: null, tool_calls: [{ id: '1' }] };

  test.each<[end: string, what: string, messages: Parameters<typeof endOfChat>[0]]>([
    ['question', 'a user message', [asked]],
    ['question', 'instructions behind it', [asked, { role: 'system', content: 'Be brief.' }]],
    ['question', 'an empty place for the answer', [asked, { role: 'assistant', content: '' }]],
    ['question', 'a thought', [asked, { role: 'reasoning' }]],
    ['answer', 'an answer', [asked, told]],
    ['answer', 'a refusal', [asked, { role: 'assistant', content: null, refusal: 'No.' }]],
    ['answer', 'a spoken answer', [asked, { role: 'assistant', content: null, audio: { id: 'audio_1' } }]],
    [
      'answer',
      'a refusal as a part',
      [asked, { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }],
    ],
    [
      'question',
      'an answer of empty parts',
      [asked, { role: 'assistant', content: [{ type: 'text', text: '' }] }],
    ],
    ['answer', 'instructions behind an answer', [asked, told, { role: 'developer', content: 'Go on.' }]],
    ['result', 'a call', [asked, called]],
    ['result', 'an older call', [asked, { role: 'assistant', content: '', function_call: { name: 'a' } }]],
    ['result', 'the result of a tool', [asked, called, { role: 'tool', content: '42' }]],
    ['result', 'the result of a function', [asked, called, { role: 'function', content: '42' }]],
    ['result', 'an output', [asked, { role: 'function_call' }, { role: 'function_call_output' }]],
    [
      'result',
      'instructions behind a result',
      [asked, { role: 'tool' }, { role: 'system', content: 'Well?' }],
    ],
  ])('is a %s with %s', (end, _what, messages) => {
    expect(endOfChat(messages)).toBe(end);
  });
});

describe('the earlier chat', () => {
  const assistant = (content: unknown) => ({ role: 'assistant', content });

  test('is each question with its answer, without other messages', () => {
    const told = earlierExchanges([
      { role: 'system', content: 'You are a pirate.' },
      assistant('Ahoy!'),
      user('Hello?'),
      user([{ type: 'text', text: 'Who are you?\u0000' }]),
      assistant(null),
      { role: 'tool', content: '42' },
      user('Are you there?'),
      assistant([{ type: 'output_text', text: ' Yes. ' }]),
      user('Good.'),
      assistant('Not answered yet.'),
    ]);

    expect(told).toEqual([
      { question: 'Who are you?', answer: '' },
      { question: 'Are you there?', answer: 'Yes.' },
    ]);
  });

  test('is empty without a question', () => {
    expect([
      earlierExchanges([]),
      earlierExchanges([assistant('Hello.')]),
      earlierExchanges([user('Hello.')]),
    ]).toEqual([[], [], []]);
  });
});
