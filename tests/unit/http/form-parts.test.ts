import { describe, expect, test } from 'vitest';
import { formParts } from '../../../api/src/http/form-parts.ts';
import { readTranscriptionForm } from '../../../api/src/http/transcription-form.ts';

const sound = 'RIFF; filename="not a header"\r\n folded';
const formOf = (disposition: string): Buffer =>
  Buffer.from(
    `--b\r\n${disposition}\r\nContent-Type: audio/wav\r\n\r\n${sound}\r\n--b\r\nContent-Disposition: form-data; name="language"\r\n\r\nde\r\n--b--\r\n`,
    'latin1',
  );

describe('a form with a recording', () => {
  test.each([
    ['a plain name', 'Content-Disposition: form-data; name="file"; filename="a.wav"'],
    ['a bare name', 'Content-Disposition: form-data; name=file; filename=a.wav'],
    ['escaped quotes', 'Content-Disposition: form-data; name="file"; filename="a\\"b;c.wav"'],
    ['an encoded name', `Content-Disposition: form-data; name="file"; filename*=iso-8859-1''a%E4.wav`],
    ['both names', `content-disposition: form-data; name="file"; filename="a"; filename*=UTF-8''a.wav`],
    ['its name first', 'Content-Disposition: form-data; filename="a\\"b.wav"; name="file"'],
    ['folded lines', 'Content-Disposition: form-data;\r\n name="file";\r\n\tfilename="a.wav"'],
  ])('is accepted with %s', (_, disposition) => {
    const form = readTranscriptionForm(formOf(disposition), 'multipart/form-data; boundary=b');

    expect(form).toMatchObject({
      recording: Buffer.from(sound),
      type: 'audio/wav',
      options: { language: 'de' },
    });
  });

  const part = (name: string, value: string) =>
    `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  /** Bytes in which every short boundary occurs, also behind dashes. */
  const bytes = Array.from({ length: 256 }, (_, at) => String.fromCharCode(at)).join('--');

  test.each([
    ['of one character', 'x', 'x'],
    ['that is a dash', '-', '-'],
    ['in quotes', '"x"', 'x'],
    ['with a semicolon in quotes', '"a;b"', 'a;b'],
    ['with an escaped quote', '"a\\"b"', 'a"b'],
    ['of 200 characters', 'b'.repeat(200), 'b'.repeat(200)],
    ['before another parameter', 'x; charset=utf-8', 'x'],
  ])('has a boundary %s', (_, written, boundary) => {
    const body = `--${boundary}\r\n${part('file', bytes)}--${boundary} \t\r\n${part('b', '')}--${boundary}--\r\nbye`;

    const parts = formParts(
      Buffer.from(`Hello!\r\n${body}`, 'latin1'),
      `Multipart/Form-Data; Boundary=${written}`,
    );

    expect(parts.map(({ name, bytes: value }) => [name, value.toString('latin1')])).toEqual([
      ['file', bytes],
      ['b', ''],
    ]);
  });

  const whole = `--x\r\n${part('a', '1')}--x--`;
  test.each([
    ['without a boundary', whole, 'multipart/form-data', 'The "Content-Type" has no valid boundary.'],
    [
      'with an empty boundary',
      whole,
      'multipart/form-data; boundary=""',
      'The "Content-Type" has no valid boundary.',
    ],
    [
      'with another boundary',
      whole,
      'multipart/form-data; boundary=y',
      'No line of the body is the boundary',
    ],
    ['with other line ends', whole.replaceAll('\r', ''), undefined, 'No line of the body is the boundary'],
    ['that is cut off in a part', whole.slice(0, 30), undefined, 'The form is cut off'],
    ['that is cut off in its end', whole.slice(0, -2), undefined, 'The form is cut off'],
    ['with a part without a name', '--x\r\n\r\n1\r\n--x--', undefined, 'A part of the form has no name.'],
    ['with an empty part', '--x\r\n--x--', undefined, 'A part of the form has no name.'],
    ['of 101 parts', `${`--x\r\n${part('a', '')}`.repeat(101)}--x--`, undefined, 'more than 100 parts.'],
  ])('%s is refused with the reason', (_, body, type = 'multipart/form-data; boundary=x', why = '') => {
    expect(() => formParts(Buffer.from(body), type)).toThrow(why);
  });
});
