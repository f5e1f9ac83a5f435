/**
 * Two 32-bit lanes over a text, as 16 hexadecimal digits: tells a replay that differs, no defence against an adversary.
 * @param after digest of what came before, which this one then covers too
 */
export function digest(text: string, after = ''): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  if (after !== '') {
    a ^= Number.parseInt(after.slice(0, 8), 16);
    b ^= Number.parseInt(after.slice(8), 16);
  }
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');
}
