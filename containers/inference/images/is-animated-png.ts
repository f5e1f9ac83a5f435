const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const CHUNK_FRAME_BYTES = 12;

/** Whether a PNG declares several frames: an `acTL` chunk before its pixels (PNG, Third Edition, 11.3.6.1). */
export function isAnimatedPng(png: Uint8Array): boolean {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = SIGNATURE_BYTES; at + CHUNK_FRAME_BYTES <= png.length; ) {
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === 'acTL') return view.getUint32(at + 8) > 1;
    if (type === 'IDAT') return false;
    at += CHUNK_FRAME_BYTES + view.getUint32(at);
  }
  return false;
}
