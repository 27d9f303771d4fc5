import type { Redis } from 'ioredis';
import { createActionNotes } from '../actions/action-notes.ts';
import type { Language } from '../language/language.ts';
import type { ListAction } from '../lists/list-action.ts';
import { createListStore, type ListStore } from '../lists/list-store.ts';
import { createListsAnywhere } from '../lists/remote-lists.ts';
import { loadSkill } from '../respond/core/skill-language.ts';
import { createHomeLists } from '../respond/home/home-lists.ts';
import { createListReader } from '../respond/skills/lists/list-words.ts';
import { listsShape } from '../respond/skills/lists/lists-shape.ts';
import type { Settings } from '../settings/settings.ts';
import type { WiredHome } from './home.ts';

interface ListWiring {
  redis: Redis;
  settings: Settings;
  language: Language;
  /** The Home Assistant whose lists count, too; null: there is none. */
  home: Pick<WiredHome, 'client' | 'onNames'> | null;
}

/** The household's lists, including those of Home Assistant if enabled. */
export function wireLists({ redis, settings, language, home }: ListWiring): ListStore {
  const own = createListStore({ redis });
  if (home === null) return own;
  const names = createListReader(loadSkill(language.files, 'lists', listsShape).words);
  const far = createHomeLists({ client: home.client, named: names.calledSo });
  const lists = createListsAnywhere({
    own,
    far: () => (settings.current().home_lists ? far : null),
    isOursFirst: () => settings.latest().sources.home_lists === 'default',
    notes: createActionNotes<ListAction>({ redis }),
  });
  home.onNames(() => void lists.learn());
  return lists;
}
