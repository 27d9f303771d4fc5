import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHouseholdCertificate } from '../../../api/src/tls/household-certificate.ts';
import { homeAddresses, machineNames } from '../../../api/src/tls/machine-names.ts';

const day = 86_400_000;
const today = new Date('2026-11-24T12:00:00Z');

let folder: string;
let leftOut: (readonly string[])[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-https-'));
  leftOut = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function household(names: readonly string[], now = today) {
  const kept = createHouseholdCertificate({
    folder: join(folder, 'https'),
    names: () => names,
    onLeftOut: (left) => leftOut.push(left),
    now: () => now,
  });
  return { ...kept, certificate: async () => new X509Certificate((await kept.current()).cert) };
}

describe('the household certificate', () => {
  test('is issued by its own authority, for every name and address', async () => {
    const { certificate, caCertificate } = household(['hearth.local', '192.168.1.5', 'fd00::5']);

    const server = await certificate();

    expect(server.verify(new X509Certificate(caCertificate() ?? '').publicKey)).toBe(true);
    expect(server.checkHost('hearth.local')).toBe('hearth.local');
    expect([server.checkIP('192.168.1.5'), server.checkIP('fd00::5')]).toEqual(['192.168.1.5', 'fd00::5']);
    expect(server.checkHost('other.local')).toBeUndefined();
    expect(leftOut).toEqual([]);
  });

  test('is kept until 30 days before its end, and its authority permanently', async () => {
    const first = await household(['hearth.local']).current();
    const ca = household([]).caCertificate();

    const later = await household(['hearth.local'], new Date(today.getTime() + 59 * day)).current();
    const muchLater = await household(['hearth.local'], new Date(today.getTime() + 61 * day)).current();

    expect(later.cert).toBe(first.cert);
    expect(muchLater.cert).not.toBe(first.cert);
    expect(household([]).caCertificate()).toBe(ca);
  });

  test('is reissued for a new address, and after a wrong clock', async () => {
    const first = await household(['hearth.local']).current();

    const moved = await household(['hearth.local', '10.0.0.9']).current();
    const earlier = await household(['hearth.local', '10.0.0.9'], new Date('2025-06-01')).current();

    expect(moved.cert).not.toBe(first.cert);
    expect(new X509Certificate(moved.cert).checkIP('10.0.0.9')).toBe('10.0.0.9');
    expect(earlier.cert).not.toBe(moved.cert);
  });

  test('omits names that its authority must not certify, and reports it', async () => {
    await household(['hearth.local', 'hearth.example.com']).current();

    const server = await household([
      'nas.lan',
      'hearth.example.com',
      'bank.example',
      '203.0.113.5',
    ]).certificate();

    expect(server.subjectAltName).toBe('DNS:nas.lan, DNS:hearth.example.com');
    expect(leftOut).toEqual([['bank.example', '203.0.113.5']]);
  });

  test('is readable only by its owner', async () => {
    await household(['hearth.local']).current();

    const modes = ['https', 'https/household-ca.pem', 'https/server.pem'].map(
      (name) => statSync(join(folder, name)).mode & 0o777,
    );

    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  test('is not replaced if its authority is damaged, because phones trust that one', async () => {
    await household(['hearth.local']).current();
    const file = join(folder, 'https/household-ca.pem');
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, 300));

    await expect(household(['hearth.local']).current()).rejects.toThrow(/household-ca\.pem is damaged/);
  });

  test('has one authority, even if two processes start at once', async () => {
    const [one, other] = [household(['hearth.local']), household(['hearth.local'])];

    await Promise.all([one.current(), other.current()]);

    expect(one.caCertificate()).toBe(other.caCertificate());
    expect((await one.certificate()).verify(new X509Certificate(other.caCertificate() ?? '').publicKey)).toBe(
      true,
    );
  });
});

describe('the names of this machine', () => {
  const at = (address: string, internal = false) => ({
    address,
    internal,
    family: 'IPv4' as const,
    netmask: '',
    mac: '',
    cidr: null,
  });

  test('exclude addresses that only containers or this machine know', () => {
    const interfaces = {
      lo: [at('127.0.0.1', true)],
      docker0: [at('172.17.0.1')],
      'br-1f2e': [at('172.18.0.1')],
      veth1a: [at('169.254.3.4')],
      wlan0: [at('fd00::7'), at('fe80::7'), at('2001:db8::7'), at('192.168.1.5')],
      eth0: [at('10.0.0.5')],
    };

    expect(homeAddresses(interfaces)).toEqual(['192.168.1.5', '10.0.0.5', 'fd00::7']);
  });

  test('include its host name and the configured names', () => {
    expect(machineNames(['box', '192.168.1.5', 'not a name'], ['nas.lan'])).toEqual([
      'hearth.local',
      'localhost',
      '127.0.0.1',
      '::1',
      'nas.lan',
      'box',
      '192.168.1.5',
      'box.local',
    ]);
  });
});
