import { expect, test } from 'vitest';
import { loadContract } from '../../../api/src/http/contract.ts';
import { nothingAt, plainPath } from '../../../api/src/http/mistaken-address.ts';
import { contractPath } from '../../support/clients/contract-check.ts';

const contract = loadContract(contractPath);
const at = (url: string) =>
  nothingAt({ protocol: 'http', host: 'hearth:8765' }, contract, plainPath(url)).message;

test.each([
  '/chat/completions',
  '/v1/v1/chat/completions',
  '/v1/v1/models/',
  '/api/openai/v1/responses',
  '/models?token=secret',
  '//audio//speech',
])('%s is answered with the right base address', (url) => {
  expect(at(url)).toContain('http://hearth:8765/v1');
});

test.each(['/', '/nothing', '/v1x', '/chat'])('%s is not a client with a wrong base address', (url) => {
  expect(at(url)).toBe('There is nothing at this address.');
});

test.each([
  ['/v1/completions', 'Send messages to http://hearth:8765/v1/chat/completions'],
  ['/completions', 'Send messages to http://hearth:8765/v1/chat/completions'],
  ['/v1/engines/assistant/completions', 'Send messages to http://hearth:8765/v1/chat/completions'],
  ['/v1/chat/completions/chatcmpl-1', 'has no stored answers'],
  ['/v1/responses/resp_1/input_items', 'has no stored answers'],
  ['/v1/threads', 'has no stored answers'],
  ['/v1/realtime/client_secrets', 'ws://hearth:8765/v1/realtime'],
  ['/v1/messages', 'http://hearth:8765/v1/chat/completions'],
  ['/v1/models/openai/gpt-4o', 'The only model is "assistant".'],
])('%s names the way that Hearth has instead', (url, words) => {
  expect(at(url)).toContain(words);
});

test.each(['/v1', '/v1/', '/v1/nothing', '/v1/embeddings', '/v1/files/file-1', '/v1/images/generations'])(
  '%s lists the parts that exist',
  (url) => {
    expect(at(url)).toBe(
      "Hearth does not offer this part of OpenAI's API. Under http://hearth:8765/v1 it has models, " +
        'chat/completions, responses, realtime, audio/transcriptions, audio/translations, audio/voices, audio/speech.',
    );
  },
);
