import { readFileSync } from 'node:fs';
import { isAddressBlock } from '../../domain/limits/address.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment does not hold what a process needs; the message has a sentence for each thing to set right. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** A range of numbers, and the one that holds where nothing is set. */
export interface NumberTerms {
  readonly otherwise: number;
  readonly min?: number;
  readonly max: number;
}

/** PEM. */
export interface Tls {
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/**
 * Reads a container's settings from its environment. An empty variable counts as one that is not set.
 *
 * @throws SettingsError that names every variable which is missing or malformed
 *
 * @example
 * parseSettings(process.env, (from) => ({ url: from.address('EXCHANGE_URL'), port: from.wholeNumber('PORT', { otherwise: 80, max: 65_535 }) }))
 */
export function parseSettings<T>(environment: Environment, read: (from: SettingsReader) => T): T {
  const reader = new SettingsReader(environment);
  const settings = read(reader);
  if (reader.problems.length > 0) throw new SettingsError(reader.problems.join('\n'));
  return settings;
}

const NO_ADDRESS = new URL('http://unset.invalid');

/** Reads one variable at a time. What cannot be read is noted, and something of its type returned, so that the others are read, too. */
export class SettingsReader {
  readonly problems: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  refuse(problem: string): void {
    this.problems.push(problem);
  }

  optional(name: string): string | null {
    return this.#environment[name] || null;
  }

  text(name: string, otherwise: string): string {
    return this.optional(name) ?? otherwise;
  }

  required(name: string, what?: string): string {
    const value = this.optional(name);
    if (value === null) this.refuse(`${name} is not set${what === undefined ? '' : `: ${what}`}`);
    return value ?? '';
  }

  /** @param what for the sentence that says that it is missing */
  address(name: string, what?: string): URL {
    const text = this.required(name, what);
    const url = URL.parse(text);
    if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url;
    if (text !== '') this.refuse(`${name} is no http(s) address`);
    return NO_ADDRESS;
  }

  number(name: string, { otherwise, min = 0, max }: NumberTerms): number {
    const text = this.optional(name);
    if (text === null) return otherwise;
    const value = Number(text);
    if (!(value >= min && value <= max)) this.refuse(`${name}=${text} is no number from ${min} to ${max}`);
    return value;
  }

  wholeNumber(name: string, { otherwise, min = 0, max }: NumberTerms): number {
    const text = this.optional(name);
    if (text === null) return otherwise;
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max)
      this.refuse(`${name}=${text} is no whole number from ${min} to ${max}`);
    return value;
  }

  port(name: string, otherwise: number): number {
    return this.wholeNumber(name, { otherwise, max: 65_535 });
  }

  flag(name: string): boolean {
    return this.optional(name) === '1';
  }

  /** The first value holds where nothing is set. */
  oneOf<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    const text = this.text(name, values[0]);
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) this.refuse(`${name}=${text} is none of ${values.join(', ')}`);
    return value ?? values[0];
  }

  /** Two files that go together; without them there is no TLS. */
  tls(certificateName: string, keyName: string): Tls | null {
    const [certificate, key] = [this.optional(certificateName), this.optional(keyName)];
    if (certificate !== null && key !== null) return { certificate: readFileSync(certificate), key: readFileSync(key) };
    if (certificate !== key) this.refuse(`${certificateName} and ${keyName} go together`);
    return null;
  }

  /**
   * Proxies in front: addresses and CIDR blocks, with commas in between. Without any, nobody is trusted and no header is looked for.
   *
   * @example from.proxies('FIX_PROXIES') // '10.0.0.0/8, 2001:db8::7' is ['10.0.0.0/8', '2001:db8::7']
   */
  proxies(name: string): readonly string[] {
    const blocks = this.text(name, '')
      .split(',')
      .map((block) => block.trim())
      .filter((block) => block !== '');
    const unread = blocks.find((block) => !isAddressBlock(block));
    if (unread !== undefined) this.refuse(`${name}: ${unread} is neither an address nor a CIDR block`);
    return blocks;
  }
}
