import { isAddressBlock } from '../../domain/limits/address.ts';

/**
 * Reads a setting that lists proxies: addresses and CIDR blocks, with commas in between. Throws with a sentence for the person who set
 * it when one cannot be read. Empty: nobody is trusted, and no header is looked for.
 *
 * @example trustedProxies('FIX_PROXIES', '10.0.0.0/8, 2001:db8::7') // ['10.0.0.0/8', '2001:db8::7']
 */
export function trustedProxies(name: string, text: string | undefined): readonly string[] {
  const blocks = (text ?? '')
    .split(',')
    .map((block) => block.trim())
    .filter((block) => block !== '');
  const unread = blocks.find((block) => !isAddressBlock(block));
  if (unread !== undefined) throw new Error(`${name}: ${unread} is neither an address nor a CIDR block`);
  return blocks;
}
