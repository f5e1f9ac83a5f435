import { encodeAbiParameters, encodeEventTopics, keccak256, numberToHex, pad, stringToHex } from 'viem';
import { describe, expect, test } from 'vitest';
import type { ChainTransport, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { BRIDGE_ABI } from '../../../domain/bridge/chains/evm/evm-abi.ts';
import { EVM_CHAINS, evmChainId } from '../../../domain/bridge/chains/evm/evm-chains.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';
import { fundsOf } from '../../../domain/bridge/funds-of.ts';

const CONTRACT = `0x${'11'.repeat(20)}` as const;
const TOKEN = `0x${'22'.repeat(20)}` as const;
const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906' as const;
const COMMITMENT = 'ab'.repeat(32);
const HASH = `0x${'cd'.repeat(32)}` as const;
/** As the adapter names the first payout of the transfer. */
const PAYMENT_ID = keccak256(stringToHex(JSON.stringify(['edge.bridge.reference.v1', COMMITMENT, 'payout', 0])));
const MINED_AT = 1_000;
const KEYS = { scheme: 'frost-secp256k1', groupKey: `02${'11'.repeat(32)}`, signerKeys: [] } as const;

/** A node of a chain with one deposit, and one payment that its contract knows. */
function simulatedChain(latest: () => number, finalized: () => number | null): ChainTransport {
  const deposited = {
    topics: encodeEventTopics({
      abi: BRIDGE_ABI,
      eventName: 'Deposited',
      args: { commitment: `0x${COMMITMENT}`, token: TOKEN, from: PAYER },
    }),
    data: encodeAbiParameters([{ type: 'uint256' }], [5n]),
  };
  const released = {
    topics: encodeEventTopics({
      abi: BRIDGE_ABI,
      eventName: 'Released',
      args: { paymentRef: PAYMENT_ID, token: TOKEN, to: PAYER },
    }),
    data: encodeAbiParameters([{ type: 'uint256' }], [7n]),
  };
  return {
    async rpc(method, params) {
      switch (method) {
        case 'eth_call':
          return pad('0x01');
        case 'eth_blockNumber':
          return numberToHex(latest());
        case 'eth_getBlockByNumber': {
          const [which] = params as [string];
          const number = which === 'finalized' ? finalized() : Number(which);
          return number === null ? null : { number: numberToHex(number), timestamp: '0x1' };
        }
        case 'eth_getLogs': {
          const [{ topics }] = params as [{ topics: string[] }];
          const log = [deposited, released].find((of) => of.topics[0] === topics[0]);
          return log === undefined
            ? []
            : [{ ...log, blockNumber: numberToHex(MINED_AT), transactionHash: HASH, logIndex: '0x0' }];
        }
        default:
          throw new Error(`nobody asks for ${method}`);
      }
    },
    get: async () => null,
    post: async () => null,
  };
}

const CHAINS = (Object.keys(EVM_CHAINS) as ChainName[]).filter((chain) => chain !== 'exchange');

describe('B-13: an operator of a sequencer whose blocks the chain below does not take', () => {
  test.each(CHAINS)('has nothing paid out for a deposit on %s while `finalized` stands still', async (chain) => {
    const adapter = await loadAdapter(chain);
    const [place, clock] = [await placeOf(chain), { latest: MINED_AT, finalized: (MINED_AT - 1) as number | null }];
    const view = {
      ...place,
      transport: simulatedChain(
        () => clock.latest,
        () => clock.finalized,
      ),
    };
    const confirmed = async () =>
      fundsOf(await adapter.deposits(view, COMMITMENT, PAYER), '5', false)?.confirmations ?? 0;
    for (const ahead of [0, adapter.confirmations, 10 * adapter.confirmations, 1_000_000]) {
      clock.latest = MINED_AT + ahead;
      expect(await confirmed()).toBeLessThan(adapter.confirmations);
    }
    clock.finalized = MINED_AT;
    expect(await confirmed()).toBeGreaterThanOrEqual(adapter.confirmations);
    // The number of blocks is the least beside it.
    clock.latest = MINED_AT + adapter.confirmations - 2;
    expect(await confirmed()).toBe(adapter.confirmations - 1);
    clock.finalized = null;
    await expect(confirmed()).rejects.toThrow('does not say what is final');
  });

  test('has no payment taken for one that stays, so nothing else is paid in its place', async () => {
    const adapter = await loadAdapter('base');
    let finalized = MINED_AT - 1;
    const view = {
      ...(await placeOf('base')),
      transport: simulatedChain(
        () => MINED_AT + 10_000,
        () => finalized,
      ),
    };
    const order = {
      kind: 'payout',
      commitment: COMMITMENT,
      reference: `${PAYMENT_ID}@1`,
      to: PAYER,
      amount: '7',
    } as const;
    const before = await adapter.statusOf(view, order);
    expect(before).toMatchObject({ state: 'paid', confirmations: adapter.confirmations - 1 });
    finalized = MINED_AT;
    expect(await adapter.statusOf(view, order)).toMatchObject({ state: 'paid', confirmations: 10_001 });
  });
});

async function placeOf(chain: ChainName) {
  expect(evmChainId(chain, 'mainnet')).toBeGreaterThan(0);
  const vault: Vault = { chain, network: 'mainnet', keys: KEYS, contract: CONTRACT, token: TOKEN, decimals: 6 };
  return { vault, relayer: null };
}
