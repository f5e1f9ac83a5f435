const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n] as const;
const CHECKSUM_DIGITS = 8;
/** Bits of a digit. */
const DIGIT_BITS = 5;

/** What each kind of address has around its hash in an output: P2PKH, P2SH of 20 bytes, P2SH of 32. */
const SCRIPTS = [
  { version: 0x00, length: 20, before: [0x76, 0xa9, 0x14], after: [0x88, 0xac] },
  { version: 0x08, length: 20, before: [0xa9, 0x14], after: [0x87] },
  { version: 0x0b, length: 32, before: [0xaa, 0x20], after: [0x87] },
] as const;
/** Set in the version of an address whose owner takes tokens, too: it is paid by the same output. */
const TAKES_TOKENS = 0x10;

/**
 * The address of an output of Bitcoin Cash, with its prefix (CashAddr, 2017; kinds of 2023).
 *
 * @throws RangeError where the output has none
 */
export function cashAddress(script: Uint8Array, prefix: string): string {
  for (const { version, length, before, after } of SCRIPTS) {
    const hash = script.subarray(before.length, before.length + length);
    const isOfKind = Buffer.from([...before, ...hash, ...after]).equals(script) && hash.length === length;
    if (!isOfKind) continue;
    const payload = digitsFrom(Uint8Array.from([version, ...hash]));
    const checksum = polymod([...digitsOf(prefix), 0, ...payload, ...Array<number>(CHECKSUM_DIGITS).fill(0)]);
    const check = Array.from({ length: CHECKSUM_DIGITS }, (_, n) => Number((checksum >> BigInt(5 * (7 - n))) & 31n));
    return `${prefix}:${[...payload, ...check].map((digit) => ALPHABET[digit]).join('')}`;
  }
  throw new RangeError('the output has no address');
}

/**
 * The output that an address of Bitcoin Cash stands for. The prefix may be left out; addresses of before 2017 are refused, since Bitcoin's look the same.
 *
 * @throws RangeError where it is none, or of another network
 */
export function cashScript(text: string, prefix: string): Uint8Array {
  const lower = text === text.toUpperCase() ? text.toLowerCase() : text;
  const digits = [...(lower.startsWith(`${prefix}:`) ? lower.slice(prefix.length + 1) : lower)].map((character) =>
    ALPHABET.indexOf(character),
  );
  const isWhole = digits.every((digit) => digit >= 0) && digits.length > CHECKSUM_DIGITS && digits.length < 100;
  if (!isWhole || polymod([...digitsOf(prefix), 0, ...digits]) !== 0n)
    throw new RangeError('no address of the network');
  const [version = 0xff, ...hash] = bytesOf(digits.slice(0, -CHECKSUM_DIGITS));
  for (const { version: own, length, before, after } of SCRIPTS)
    if ((version === own || version === (own | TAKES_TOKENS)) && hash.length === length)
      return Uint8Array.from([...before, ...hash, ...after]);
  throw new RangeError('an address of another kind');
}

/** The last digit is filled up by zeros. */
function digitsFrom(bytes: Uint8Array): number[] {
  const count = Math.ceil((bytes.length * 8) / DIGIT_BITS);
  const whole = BigInt(`0x${Buffer.from(bytes).toString('hex')}`) << BigInt(count * DIGIT_BITS - bytes.length * 8);
  return Array.from({ length: count }, (_, n) => Number((whole >> BigInt(DIGIT_BITS * (count - 1 - n))) & 31n));
}

/** @throws RangeError where what fills the last digit up is too long, or anything but zeros */
function bytesOf(digits: readonly number[]): Uint8Array {
  const bits = digits.length * DIGIT_BITS;
  const filled = BigInt(bits % 8);
  const whole = digits.reduce((sum, digit) => (sum << 5n) | BigInt(digit), 0n);
  if (filled >= DIGIT_BITS || whole & ((1n << filled) - 1n)) throw new RangeError('no address of the network');
  const length = Math.floor(bits / 8);
  return Uint8Array.from(Buffer.from((whole >> filled).toString(16).padStart(length * 2, '0'), 'hex'));
}

function digitsOf(prefix: string): number[] {
  return [...prefix].map((character) => character.charCodeAt(0) & 31);
}

function polymod(digits: readonly number[]): bigint {
  let sum = 1n;
  for (const digit of digits) {
    const top = sum >> 35n;
    sum = ((sum & 0x07_ffff_ffffn) << 5n) ^ BigInt(digit);
    for (const [bit, generator] of GENERATORS.entries()) if ((top >> BigInt(bit)) & 1n) sum ^= generator;
  }
  return sum ^ 1n;
}
