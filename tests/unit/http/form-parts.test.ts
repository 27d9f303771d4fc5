import { describe, expect, test } from 'vitest';
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
  ])('is accepted with %s', async (_, disposition) => {
    const form = await readTranscriptionForm(formOf(disposition), 'multipart/form-data; boundary=b');

    expect(form).toMatchObject({
      recording: Buffer.from(sound),
      type: 'audio/wav',
      wish: { language: 'de' },
    });
  });
});
