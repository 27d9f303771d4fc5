import { ConfigError, readConfig } from '../config.ts';

process.exitCode = check(process.env);

/**
 * Validates the configuration before anything is downloaded or started. 0: valid; 1: the errors were printed.
 */
function check({ REDIS_URL: redis, ...others }: NodeJS.ProcessEnv): number {
  try {
    // The file with the address of our own Redis is written at the first start.
    readConfig(redis?.startsWith('file:') ? others : { ...others, REDIS_URL: redis });
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
