import { ConfigError, readConfig } from '../config.ts';

process.exitCode = check(process.env);

/** Says what is wrong with the settings before anything is downloaded or started for them. 0: nothing; 1: it has been said. */
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
