/** Sum of the bytes of a message up to its check sum, modulo 256, in three digits. */
export function checkSum(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  return String(sum & 0xff).padStart(3, '0');
}
