import { createHash } from 'node:crypto';

/** Keys and nonces follow from the seed: whoever has a seed has the case. */
export function seededRandom(): { restart(seed: string): void; restore(): void } {
  let [seed, drawn] = ['', 0];
  const { crypto } = globalThis;
  const getRandomValues = <Bytes extends ArrayBufferView>(array: Bytes): Bytes => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += 32) {
      drawn += 1;
      const block = createHash('sha256').update(`${seed} ${drawn}`).digest();
      bytes.set(block.subarray(0, Math.min(32, bytes.length - at)), at);
    }
    return array;
  };
  // Of the object itself: that of the platform stands in its prototype.
  Object.defineProperty(crypto, 'getRandomValues', { value: getRandomValues, configurable: true });
  // Sessions, and who is asked first.
  const randomUUID = () => {
    const hex = Buffer.from(getRandomValues(new Uint8Array(16))).toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
  Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true });
  const { random } = Math;
  Math.random = () => getRandomValues(new Uint32Array(1)).reduce((_, drawnNow) => drawnNow / 2 ** 32, 0);
  return {
    restart: (from) => {
      [seed, drawn] = [from, 0];
    },
    restore: () => {
      Reflect.deleteProperty(crypto, 'getRandomValues');
      Reflect.deleteProperty(crypto, 'randomUUID');
      Math.random = random;
    },
  };
}
