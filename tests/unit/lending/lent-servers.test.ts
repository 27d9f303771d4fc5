import { expect, test } from 'vitest';
import { lentServersOf } from '../../../api/src/lending/lent-servers.ts';

test('a machine lends its own engines by their sockets', () => {
  const env = { LLM_SOCKET: '/run/llm', LLM_URL: 'http://llm.localhost', STT_SOCKET: '/run/stt' };

  expect([...lentServersOf(env)]).toEqual([
    ['llm', { at: { path: '/run/llm' }, model: undefined }],
    ['stt', { at: { path: '/run/stt' }, model: undefined }],
  ]);
});

test('a server that runs already is lent by its address, with the chosen model', () => {
  const env = { LLM_URL: 'http://127.0.0.1:11434', LLM_MODEL: 'qwen3:8b', STT_URL: 'off' };

  expect([...lentServersOf(env)]).toEqual([
    ['llm', { at: { host: '127.0.0.1', port: 11_434 }, model: 'qwen3:8b' }],
  ]);
  expect(lentServersOf({ LLM_URL: 'http://[fd00::5]' }).get('llm')?.at).toEqual({
    host: 'fd00::5',
    port: 80,
  });
});

test.each(['https://llm.lan', 'http://llm.lan/v1', 'llm:8080', 'http://a:1,http://b:2'])(
  'the address %s cannot be lent, and the reason is said',
  (address) => {
    expect(() => lentServersOf({ LLM_URL: address })).toThrow(
      /^To lend a server, LLM_URL must be an address/,
    );
  },
);
