import { readFileSync } from 'node:fs';

/** Path where docker-compose.yml mounts the machine's /etc/localtime. */
const mountPoint = '/localtime';

/**
 * The time zone of the machine. In a container, a mounted /etc/localtime has no name. But the kernel lists
 * the link's target in /proc/self/mountinfo. Null: unknown.
 */
export function machineTimeZone(): string | null {
  const mounted = mountedTimeZone(readMounts());
  if (mounted !== undefined) return mounted;
  const { timeZone: found } = new Intl.DateTimeFormat().resolvedOptions();
  // Compose files often pass an empty TZ, which Node does not treat as a zone.
  return found === 'Etc/Unknown' ? 'UTC' : found;
}

/**
 * Undefined: nothing is mounted there. Null: the mounted file is not a known zone file, but perhaps a copy of
 * one.
 */
export function mountedTimeZone(mountInfo: string): string | null | undefined {
  for (const line of mountInfo.split('\n')) {
    const [, , , root = '', target] = line.split(' ');
    if (target === mountPoint) return /\/zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(root)?.[1] ?? null;
  }
  return undefined;
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return ''; // not Linux, so not a container either
  }
}
