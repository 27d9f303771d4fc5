import { execFileSync } from 'node:child_process';
import { GenericContainer } from 'testcontainers';
import type { TestProject } from 'vitest/node';

/** The image that docker-compose.yml runs. */
export const redisImage = 'redis:8-alpine';

declare module 'vitest' {
  interface ProvidedContext {
    /** How this run gets its Redis servers. Every test file has one of its own, for pub/sub knows no separate databases. */
    redisBy: 'container' | 'program';
  }
}

/** Finds out once which real Redis this machine can run: a container where Docker works, else the program `redis-server`. */
export async function setup(project: TestProject): Promise<void> {
  const noContainer = await whyNoContainer();
  if (noContainer === null) return project.provide('redisBy', 'container');
  if (!hasProgram()) {
    throw new Error(`These tests need Docker or the program redis-server. Docker: ${noContainer}`);
  }
  process.stdout.write('Redis for the tests: the program redis-server, for no container can be started.\n');
  project.provide('redisBy', 'program');
}

async function whyNoContainer(): Promise<string | null> {
  try {
    const container = await new GenericContainer(redisImage).withExposedPorts(6379).start();
    await container.stop();
    return null;
  } catch (error) {
    return String(error);
  }
}

function hasProgram(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
