import { execFileSync } from 'node:child_process';
import { GenericContainer } from 'testcontainers';
import type { TestProject } from 'vitest/node';

/** The image that docker-compose.yml runs. */
export const redisImage = 'redis:8-alpine';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * How this run gets its Redis servers. Every test file has a separate one, because pub/sub ignores
     * database numbers.
     */
    redisBy: 'container' | 'program';
  }
}

/**
 * Detects once which real Redis this machine can run: preferably `redis-server`, which starts at once,
 * otherwise a container.
 */
export async function setup(project: TestProject): Promise<void> {
  if (hasProgram()) return project.provide('redisBy', 'program');
  const noContainer = await whyNoContainer();
  if (noContainer !== null) {
    throw new Error(`These tests need redis-server or Docker. Docker failed: ${noContainer}`);
  }
  process.stdout.write('The tests run Redis in containers, because redis-server is not installed.\n');
  project.provide('redisBy', 'container');
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
