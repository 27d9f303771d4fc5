import type { EngineError } from './engine-client.ts';

/** Why a call failed, in our own short words. The engine's text may hold addresses, paths and user speech. */
export function callFailure({ failure, status }: EngineError): string {
  const withStatus = status === undefined ? '' : ` (status ${status})`;
  switch (failure) {
    case 'unreachable':
      return 'It could not be reached, or closed the connection.';
    case 'downloading':
      return 'It was still fetching its model.';
    case 'loading':
      return `It was still loading its model${withStatus}.`;
    case 'busy':
      return `It was too busy${withStatus}.`;
    case 'refused':
      return `It refused the request${withStatus}.`;
    case 'broken':
      return `Its answer was invalid${withStatus}.`;
    case 'timeout':
      return 'It did not answer in time.';
    case 'hung':
      return 'It does not respond.';
    case 'silent':
      return 'It was skipped, because it has not answered since it last fell silent.';
  }
}
