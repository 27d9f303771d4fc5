import { describe, expect, test } from 'vitest';
import { foundHome, homeService } from '../../../api/src/mdns/found-home.ts';
import { readFoundServices } from '../../../api/src/mdns/found-service.ts';

/** Answers of python-zeroconf 0.154 for the service of Home Assistant 2026.11, with http and with https. */
const plain = Buffer.from(
  'AACEAAABAAEAAAAED19ob21lLWFzc2lzdGFudARfdGNwBWxvY2FsAAAMAAHADAAMAAEAABGUAAcESG9tZcAMIDBhMWIyYzNkNGU1ZjYwNzE4' +
    'MjkzYTRiNWM2ZDdlOGY5wCEAAQABAAAAeAAEwKgBFMA4ABAAAQAAEZQApBJsb2NhdGlvbl9uYW1lPUhvbWUldXVpZD0wYTFiMmMzZDRlNWY2' +
    'MDcxODI5M2E0YjVjNmQ3ZThmORF2ZXJzaW9uPTIwMjYuMTEuMA1leHRlcm5hbF91cmw9DWludGVybmFsX3VybD0hYmFzZV91cmw9aHR0cDov' +
    'LzE5Mi4xNjguMS4yMDo4MTIzGnJlcXVpcmVzX2FwaV9wYXNzd29yZD1UcnVlwDgAIQABAAAAeAAIAAAAAB+7wD/APwAvAAEAAAB4AAXAPwAB' +
    'QA==',
  'base64',
);
const secure = Buffer.from(
  'AACEAAABAAEAAAAED19ob21lLWFzc2lzdGFudARfdGNwBWxvY2FsAAAMAAHADAAMAAEAABGUAAcESG9tZcAMIDBhMWIyYzNkNGU1ZjYwNzE4' +
    'MjkzYTRiNWM2ZDdlOGY5wCEAAQABAAAAeAAEwKgBFMA/AC8AAQAAAHgABcA/AAFAwDgAEAABAAARlADDEmxvY2F0aW9uX25hbWU9SG9tZSV1' +
    'dWlkPTBhMWIyYzNkNGU1ZjYwNzE4MjkzYTRiNWM2ZDdlOGY5EXZlcnNpb249MjAyNi4xMS4wDWV4dGVybmFsX3VybD0saW50ZXJuYWxfdXJs' +
    'PWh0dHBzOi8vaG9tZS5leGFtcGxlLmNvbTo4MTIzL3ghYmFzZV91cmw9aHR0cDovLzE5Mi4xNjguMS4yMDo4MTIzGnJlcXVpcmVzX2FwaV9w' +
    'YXNzd29yZD1UcnVlwDgAIQABAAAAeAAIAAAAAB+7wD8=',
  'base64',
);
const read = (packet: Buffer) => readFoundServices(packet, homeService, '192.168.1.99').map(foundHome);

describe('a Home Assistant on the network', () => {
  test('is found with its name, address and version', () => {
    expect(read(plain)).toEqual([{ name: 'Home', url: 'http://192.168.1.20:8123', version: '2026.11.0' }]);
  });

  test('keeps the name for which its certificate is issued', () => {
    expect(read(secure)).toEqual([
      { name: 'Home', url: 'https://home.example.com:8123', version: '2026.11.0' },
    ]);
  });

  test('may announce nothing but its place', () => {
    const bare = { name: 'Cabin', host: '192.168.1.20', port: 8123, texts: new Map() };

    expect(foundHome(bare)).toEqual({ name: 'Cabin', url: 'http://192.168.1.20:8123', version: null });
  });
});
