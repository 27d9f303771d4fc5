import { expect, test } from 'vitest';
import { mountedTimeZone } from '../../api/src/time-zone.ts';

const others = `254 237 0:55 / / ro,relatime - overlay overlay rw
255 237 0:58 / /proc rw,nosuid - proc proc rw
`;
const mounted = (root: string) =>
  `${others}256 237 254:0 ${root} /localtime ro,relatime - ext4 /dev/vda rw\n`;

test.each([
  ['Debian', '/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
  ['a machine with /usr on a disk of its own', '/share/zoneinfo/America/New_York', 'America/New_York'],
  ['Fedora on btrfs', '/root/usr/share/zoneinfo/Asia/Kolkata', 'Asia/Kolkata'],
  ['NixOS', '/nix/store/0abc-tzdata-2026a/share/zoneinfo/Europe/Paris', 'Europe/Paris'],
  [
    'a zone of three names',
    '/usr/share/zoneinfo/America/Argentina/Buenos_Aires',
    'America/Argentina/Buenos_Aires',
  ],
  ['a link into posix/', '/usr/share/zoneinfo/posix/Europe/Berlin', 'Europe/Berlin'],
  ['UTC', '/usr/share/zoneinfo/Etc/UTC', 'Etc/UTC'],
])('the mounted file shows the zone of %s', (_what, root, zone) => {
  expect(mountedTimeZone(mounted(root))).toBe(zone);
});

test('a copy of a zone does not show its name', () => {
  expect(mountedTimeZone(mounted('/etc/localtime'))).toBeNull();
});

test('without a mount the zone is unknown', () => {
  expect(mountedTimeZone(others)).toBeUndefined();
  expect(mountedTimeZone('')).toBeUndefined();
});
