import { expect, it } from 'vitest';
import { imageTypeOf } from './image-type.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  ['image/jpeg', '\xff\xd8\xff\xe0JFIF'],
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
  ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  [null, 'RIFF\x10\0\0\0WAVE'],
  [null, ''],
])('an image is %s by its content', (type, content) => {
  expect(imageTypeOf(bytes(content))).toBe(type);
});
