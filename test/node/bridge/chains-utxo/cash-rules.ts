import { createVirtualMachineBCH, decodeTransaction } from '@bitauth/libauth';
import type { ChainRules } from './simulated-chain.ts';

const machine = createVirtualMachineBCH(true);

/** Rules of Bitcoin Cash: its virtual machine by libauth, as nodes check what they relay; and the first of two that spend the same stays. */
export const CASH_RULES: ChainRules = {
  replaces: false,
  verify(raw, spent) {
    const transaction = decodeTransaction(raw);
    if (typeof transaction === 'string') return transaction;
    const sourceOutputs = spent.map(({ script, value }) => ({ lockingBytecode: script, valueSatoshis: value }));
    const verified = machine.verify({ transaction, sourceOutputs });
    return verified === true ? null : verified;
  },
};
