import {
  ConnectionClosedByPeerError,
  ConnectionRefusedError,
  ConnectionTimeoutError,
  EncryptionKeyInvalidError,
  EncryptionKeyMissingError,
  EncryptionRequiredError,
  IncompatibleApiVersionError,
  NoiseHandshakeError,
  ProtocolError,
} from 'esphome-client';

/** Why a device cannot be used. The message is a sentence for the person who maintains it. */
export class LinkProblem extends Error {
  override readonly name = 'LinkProblem';
}

type ErrorClass = new (...given: never[]) => Error;

const sentences: readonly (readonly [ErrorClass, string])[] = [
  [EncryptionKeyInvalidError, "The encryption key is wrong. Enter this device's key."],
  [
    EncryptionKeyMissingError,
    'The device asks for an encryption key. Enter it: its maker or Home Assistant has it.',
  ],
  [
    EncryptionRequiredError,
    'The device asks for an encryption key. Enter it: its maker or Home Assistant has it.',
  ],
  [
    NoiseHandshakeError,
    'The encryption handshake with the device failed. Is the encryption key the right one?',
  ],
  [IncompatibleApiVersionError, 'The firmware of the device is too old or too new for Hearth.'],
  [ConnectionRefusedError, 'Nothing listens there. Is the address right, and is the device on?'],
  [ConnectionTimeoutError, 'The device does not answer. Is the address right, and is the device on?'],
  [
    ConnectionClosedByPeerError,
    'The device closed the connection at once. If it has an encryption key, enter it.',
  ],
  [ProtocolError, 'The device at this address is not an ESPHome device, or its encryption key is missing.'],
];

/** Converts a library error into a sentence for people. */
export function problemOf(error: unknown): LinkProblem {
  if (error instanceof LinkProblem) return error;
  const found = sentences.find(([kind]) => error instanceof kind);
  const words =
    found?.[1] ?? 'The connection to the device failed. Is the address right, and is the device on?';
  return new LinkProblem(words, { cause: error });
}
