import { describe } from 'vitest';
import { runningHousehold } from './running-household.ts';
import { smokeSuite } from './smoke-suite.ts';

describe('without Docker', () => smokeSuite(runningHousehold));
