/** What is decoded; told by its content, never by its name. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

/** By the first bytes; null for anything else. What follows them is for the decoder to judge. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (startsWith(bytes, 0, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
  if (startsWith(bytes, 0, RIFF) && startsWith(bytes, WEBP_AT, WEBP)) return 'image/webp';
  return null;
}

const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
/** After RIFF and the length. */
const WEBP_AT = 8;

function startsWith(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[at + index] === byte);
}
