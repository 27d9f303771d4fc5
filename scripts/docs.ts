import { communityPart } from './community-docs.ts';
import { keysPart } from './keys-docs.ts';
import { scopesPart } from './scopes-docs.ts';
import { settingsPart } from './settings-docs.ts';

// `npm run docs`: generates parts of pages from the code.
communityPart.write();
keysPart.write();
scopesPart.write();
settingsPart.write();
