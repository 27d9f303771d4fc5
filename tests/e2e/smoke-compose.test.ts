import { describe } from 'vitest';
import { composedHousehold } from './composed-household.ts';
import { hasDocker } from './household.ts';
import { smokeSuite } from './smoke-suite.ts';

describe.skipIf(!hasDocker)('in containers (needs Docker)', () => smokeSuite(composedHousehold));
