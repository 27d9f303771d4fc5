import type { HomeClient } from '../../engines/home-client.ts';
import { HomeError } from '../../engines/home-fault.ts';
import { AppError } from '../../errors.ts';
import type { RemoteList, RemoteLists } from '../../lists/remote-lists.ts';

/** Maximum wait for a list. */
const maxMs = 8_000;

interface HomeListsOptions {
  client: Pick<HomeClient, 'lists' | 'listItems' | 'addListItem' | 'removeListItems' | 'changeListItem'>;
  /** The list for a name: "Shopping List" is the shopping list. */
  named: (name: string) => { key: string; name: string };
}

/** Home Assistant's to-do lists as household lists. If two share a name, the first counts. */
export function createHomeLists({ client, named }: HomeListsOptions): RemoteLists {
  const signal = () => AbortSignal.timeout(maxMs);
  return {
    all: () =>
      reading(async () => {
        const found = (await client.lists(signal())).map(
          (list): RemoteList => ({ ...list, ...named(list.name) }),
        );
        return found.filter(
          ({ key }, at) => key !== '' && found.findIndex((other) => other.key === key) === at,
        );
      }),
    items: ({ id }) => reading(() => client.listItems(id, signal())),
    add: ({ id }, text) => changing(() => client.addListItem(id, text, signal())),
    remove: ({ id }, uids) => changing(() => client.removeListItems(id, uids, signal())),
    change: ({ id }, uid, change) => changing(() => client.changeListItem(id, uid, change, signal())),
  };
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HomeError || isLate(error) ? gone('home_unavailable', error) : error;
  }
}

/** If the outcome is unknown, the error says so. */
async function changing(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isLate(error)) throw gone('home_timeout', error);
    if (!(error instanceof HomeError)) throw error;
    throw gone(
      error.failure === 'slow' || error.failure === 'lost' ? 'home_timeout' : 'home_unavailable',
      error,
    );
  }
}

const gone = (code: 'home_unavailable' | 'home_timeout', cause: unknown) =>
  new AppError(code, undefined, { cause });

function isLate(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
