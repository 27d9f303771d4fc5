import { afterAll } from 'vitest';
import { endSpawned } from './spawned.ts';

afterAll(endSpawned);
