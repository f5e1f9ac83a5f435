import type { Address, Hex } from 'viem';
import { type ChainTransport, RpcRefusal, type Vault } from '../chain-adapter.ts';
import type { PayeeFault } from '../payees/payee-fault.ts';
import { evmRpc } from './evm-rpc.ts';

/** Selectors of `totalSupply()` and `decimals()`, which every token answers (ERC-20). */
const OF_TOKENS: readonly Hex[] = ['0x18160ddd', '0x313ce567'];
/** One word of 32 bytes. */
const WORD = /^0x[0-9a-f]{64}$/i;
/** Code of an account with a key that lends a contract's code (EIP-7702). */
const DELEGATED = /^0xef0100[0-9a-f]{40}$/i;

/** Contracts are paid, since wallets are contracts, too; tokens keep what comes to them. */
export async function evmPayeeFault(vault: Vault, transport: ChainTransport, to: Address): Promise<PayeeFault | null> {
  if ([vault.contract, vault.token].some((own) => own?.toLowerCase() === to.toLowerCase())) return 'own';
  const rpc = evmRpc(transport);
  const code = await rpc.code(to);
  if (code === '0x' || DELEGATED.test(code)) return null;
  for (const selector of OF_TOKENS) if (!WORD.test(await answerOf(rpc, to, selector))) return null;
  return 'program';
}

async function answerOf({ call }: ReturnType<typeof evmRpc>, to: Address, data: Hex): Promise<Hex> {
  try {
    return await call(to, data);
  } catch (refusal) {
    if (refusal instanceof RpcRefusal) return '0x';
    throw refusal;
  }
}
