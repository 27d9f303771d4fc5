import { readFileSync } from 'node:fs';

/** The place where docker-compose.yml mounts the machine's /etc/localtime. */
const mountPoint = '/localtime';

/**
 * The time zone of the machine that runs this process. In a container a mounted /etc/localtime is a file without a name, but the kernel knows
 * which one it is: /proc/self/mountinfo names the file behind the link. Null: unknown.
 */
export function machineTimeZone(): string | null {
  const mounted = mountedTimeZone(readMounts());
  if (mounted !== undefined) return mounted;
  const { timeZone: found } = new Intl.DateTimeFormat().resolvedOptions();
  // Compose files easily pass on an empty TZ, which Node does not take for a zone at all.
  return found === 'Etc/Unknown' ? 'UTC' : found;
}

/** Undefined: nothing is mounted there. Null: the mounted file is not one of the zone files, perhaps a copy of one. */
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
    return ''; // no Linux, so no container either
  }
}
