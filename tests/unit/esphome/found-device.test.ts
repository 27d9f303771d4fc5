import { describe, expect, test } from 'vitest';
import { byLikelihood, deviceService, foundDevice } from '../../../api/src/esphome/found-device.ts';
import { readFoundServices, serviceQuestion } from '../../../api/src/mdns/found-service.ts';

/** Answers of python-zeroconf 0.147, for a service like a Voice PE's and for Linux Voice Assistant 1.1.15. */
const puck = Buffer.from(
  'AACEAAABAAEAAAAEC19lc3Bob21lbGliBF90Y3AFbG9jYWwAAAwAAcAMAAwAAQAAEZQAHhtob21lLWFzc2lzdGFudC12b2ljZS0wYTFiMmPADMA0' +
    'ABAAAQAAEZQBUilmcmllbmRseV9uYW1lPUhvbWUgQXNzaXN0YW50IFZvaWNlIDBhMWIyYxF2ZXJzaW9uPTIwMjYuMTAuMRBtYWM9MjBmODNi' +
    'MGExYjJjDnBsYXRmb3JtPUVTUDMyGGJvYXJkPWVzcDMyLXMzLWRldmtpdGMtMQxuZXR3b3JrPXdpZmkzYXBpX2VuY3J5cHRpb249Tm9pc2Vf' +
    'Tk5wc2swXzI1NTE5X0NoYUNoYVBvbHlfU0hBMjU2LXByb2plY3RfbmFtZT1uYWJ1Y2FzYS5ob21lLWFzc2lzdGFudC12b2ljZS1wZRdwcm9q' +
    'ZWN0X3ZlcnNpb249MjYuMTAuMFVwYWNrYWdlX2ltcG9ydF91cmw9Z2l0aHViOi8vZXNwaG9tZS9ob21lLWFzc2lzdGFudC12b2ljZS1wZS9o' +
    'b21lLWFzc2lzdGFudC12b2ljZS55YW1swDQAIQABAAAAeAAkAAAAABelG2hvbWUtYXNzaXN0YW50LXZvaWNlLTBhMWIyY8AdwcIAAQABAAAA' +
    'eAAEwKgBHsHCAC8AAQAAAHgABcHCAAFA',
  'base64',
);
const linux = Buffer.from(
  'AACEAAABAAEAAAAEC19lc3Bob21lbGliBF90Y3AFbG9jYWwAAAwAAcAMAAwAAQAAEZQAExBsdmEtMDAwMDAwMDAwMDAwwAwQbHZhLTAwMDAwMDAw' +
    'MDAwMMAdAAEAAQAAAHgABH8AAAHARwAvAAEAAAB4AAXARwABQMA0ACEAAQAAAHgACAAAAABlw8BHwDQAEAABAAARlABREHZlcnNpb249MjAy' +
    'NS45LjAVbWFjPTAwOjAwOjAwOjAwOjAwOjAwCmJvYXJkPWhvc3QNcGxhdGZvcm09SE9TVBBuZXR3b3JrPWV0aGVybmV0',
  'base64',
);
const sender = '192.168.1.99';
const readDevices = (packet: Buffer) => readFoundServices(packet, deviceService, sender).map(foundDevice);

describe('an answer by mDNS', () => {
  test('tells the device, and that it needs a key', () => {
    expect(readDevices(puck)).toEqual([
      {
        name: 'home-assistant-voice-0a1b2c',
        label: 'Home Assistant Voice 0a1b2c',
        address: '192.168.1.30',
        encrypted: true,
        mac: '20f83b0a1b2c',
        likely: true,
      },
    ]);
  });

  test('tells another port, and a device without a key', () => {
    expect(readDevices(linux)).toEqual([
      {
        name: 'lva-000000000000',
        label: null,
        address: '127.0.0.1:26051',
        encrypted: false,
        mac: '000000000000',
        likely: true,
      },
    ]);
  });

  test.each([puck, linux])('that is cut off or damaged is not an error', (packet) => {
    const lengths = [...packet.keys()];
    const cut = lengths.flatMap((length) => readDevices(packet.subarray(0, length)));
    const damaged = lengths.map((at) => {
      const other = Buffer.from(packet);
      other[at] = 0xff;
      return readDevices(other).length;
    });

    expect(cut).toEqual([]);
    expect(Math.max(...damaged)).toBe(1);
  });

  test('with a name that refers to itself is dropped', () => {
    const loop = Buffer.concat([
      Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 12]),
      Buffer.alloc(10),
    ]);

    expect(readDevices(loop)).toEqual([]);
  });

  test('is not a question', () => {
    expect(readDevices(serviceQuestion(deviceService))).toEqual([]);
  });

  test('lists voice devices first, and then by name', () => {
    const device = (name: string) =>
      foundDevice({ name, host: '192.168.1.30', port: 6053, texts: new Map() });

    const sorted = ['plug', 'lamp', 'voice-puck'].map(device).sort(byLikelihood);

    expect(sorted.map(({ name }) => name)).toEqual(['voice-puck', 'lamp', 'plug']);
  });
});
