import type { CommunityWords } from '../../language/community/community-words.ts';
import { createActionClaims } from '../model/action-claims.ts';
import type { ToolWords } from '../model/tool-words.ts';

/** The model has no tools in a language of the community, so these sentences are empty. */
export function communityToolWords({ own }: CommunityWords): ToolWords {
  return {
    say: (key) => {
      if (key === 'nothing_more') return own.ok;
      return key === 'unknown_whether' || key === 'too_slow' ? own.unsure : own.cannot;
    },
    actionClaims: createActionClaims({
      parts: {},
      deeds: [],
      states: [],
      assents: [],
      concerns: [],
      confirmations: [],
      risks: [],
    }),
    evidence: { timers: [], nots: [], little: [], endings: {} },
    askedFor: {
      requests: { timer: [], cancel: [], add: [], take: [], home: [] },
      courtesies: [],
      joints: [],
      others: [],
    },
  };
}
