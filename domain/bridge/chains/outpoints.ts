import type { Vault } from './chain-adapter.ts';
import { CHAINS_OF_OUTPUTS } from './chain-name.ts';

/** Whether payments of the vault spend outputs: its coins are taken one by one, and each has a fee by what the chain asks for that day. */
export function spendsOutputs({ chain, custody }: Pick<Vault, 'chain' | 'custody'>): boolean {
  return custody === undefined && (CHAINS_OF_OUTPUTS.includes(chain) || chain === 'cardano');
}

/** The outputs that a reference of such a chain spends, as text; none of a reference of another form. */
export function outpointsOf(reference: string): readonly string[] {
  try {
    const { inputs } = JSON.parse(reference) as { inputs: readonly Readonly<Record<string, unknown>>[] };
    return inputs.map(({ txid, vout, tx, index }) => `${txid ?? tx}:${vout ?? index}`);
  } catch {
    return [];
  }
}
