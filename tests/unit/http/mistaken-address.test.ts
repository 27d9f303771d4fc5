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

test.each(['/', '/nothing', '/v1/nothing', '/v1', '/chat'])(
  '%s is not a client with a wrong base address',
  (url) => {
    expect(at(url)).toBe('There is nothing at this address.');
  },
);
