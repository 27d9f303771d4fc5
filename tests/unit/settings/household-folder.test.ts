import { expect, test } from 'vitest';
import { folderFault } from '../../../api/src/settings/household-folder.ts';

const faultOf = (code: string, isInContainer: boolean) =>
  folderFault(Object.assign(new Error(code), { code }), { path: '/languages', isInContainer });

test.each(['EACCES', 'EPERM'])('names the host’s folder and the command after %s in a container', (code) => {
  expect(faultOf(code, true)).toBe(
    'Hearth is not allowed to change the folder languages: it belongs to another user. ' +
      'Nothing has been changed. On the computer that runs Hearth, type in Hearth’s folder: ' +
      'sudo chown -R 1000 languages',
  );
});

test('gives the folder to the user that runs Hearth without containers', () => {
  expect(faultOf('EACCES', false)).toContain(`sudo chown -R ${process.getuid?.()} "/languages"`);
});

test.each([
  ['ENOSPC', 'The disk is full.'],
  ['EDQUOT', 'The disk is full.'],
  ['EROFS', 'The folder /languages is on a disk that allows no changes.'],
  ['EIO', 'Hearth failed to change the folder /languages (EIO).'],
  ['ENOTDIR', 'Hearth failed to change the folder /languages (ENOTDIR).'],
])('blames no owner for %s', (code, reason) => {
  expect(faultOf(code, false)).toBe(`${reason} Nothing has been changed.`);
});
