import { randomBytes } from 'node:crypto';
import { getAddress, type Hex, toFunctionSelector } from 'viem';
import { formatAbiItem } from 'viem/utils';
import { afterAll, describe } from 'vitest';
import { RpcRefusal, type Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { CHAIN_NAMES, EXCHANGE_CHAIN } from '../../../../domain/bridge/chains/chain-name.ts';
import { evmVault } from '../../../../domain/bridge/chains/evm/evm-adapter.ts';
import { isEvmChain } from '../../../../domain/bridge/chains/evm/evm-chains.ts';
import { VAULT_ABI } from '../../../../protocol/bridge/abi/vault-abi.ts';
import { hasDevnet } from '../bridge.fixtures.ts';
import { BridgeChains, CUSTOMER, RELAYER, STRANGER } from '../bridge-chains.fixtures.ts';
import { describeMachine, judgesAsTheTableSays, type Machine } from './describe-machine.ts';

/** Rules of Ethereum that chains run by: what the contracts are compiled for, and all that came since. */
const FORKS = ['cancun', 'prague', 'osaka'] as const;
const PAYOUT = 3_333n;

const ERRORS = new Map(
  VAULT_ABI.flatMap((item) => (item.type === 'error' ? [[toFunctionSelector(formatAbiItem(item)), item.name]] : [])),
);

const started = new Map<string, Promise<BridgeChains>>();
afterAll(async () => {
  for (const each of started.values()) await (await each).stop();
});

/** One chain a fork: payees are new in each test, so none sees what another has done. */
async function start(hardfork: string, { keys }: Vault): Promise<Machine> {
  const known = started.get(hardfork) ?? BridgeChains.start('acme', keys.groupKey, { hardfork });
  started.set(hardfork, known);
  const chains = await known;
  const { vault, external } = chains;
  const { transport, relayer } = chains.view(vault);

  async function take(raw: string): Promise<void> {
    const { to, data } = JSON.parse(raw) as { to: Hex; data: Hex };
    try {
      await transport.rpc('eth_estimateGas', [{ from: RELAYER.address, to, data }]);
    } catch (refusal) {
      const [selector] = /0x[0-9a-f]{8}/.exec(refusal instanceof RpcRefusal ? refusal.message : '') ?? [];
      throw new Error(ERRORS.get(selector as Hex) ?? String(refusal), { cause: refusal });
    }
    await external.sendData({ to, data, value: 0n }, RELAYER);
  }

  return {
    transport,
    vault,
    relayer,
    payer: CUSTOMER.address,
    async fund(amount) {
      await chains.deposit(vault, randomBytes(32).toString('hex'), amount, CUSTOMER);
    },
    async deposit({ call }, amount) {
      if (call === null || call.approve === null) throw new Error('no call');
      await external.send(chains.token, 'approve', [call.approve.spender, amount], CUSTOMER);
      await external.sendData({ to: call.to as Hex, data: call.data as Hex, value: 0n }, CUSTOMER);
    },
    finalize: () => external.clock.mine({ blocks: 64 }),
    balance: (address) => chains.balance(vault, address),
    take,
  };
}

const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0');

function replaced(raw: string, from: string, to: string): string {
  const call = JSON.parse(raw) as { data: string };
  if (!call.data.includes(word(from))) throw new Error('nothing to replace');
  return JSON.stringify({ ...call, data: call.data.replace(word(from), word(to)) });
}

describe.skipIf(!hasDevnet)('by anvil', () => {
  for (const fork of FORKS)
    describeMachine(`chains of ${fork}`, {
      chains: CHAIN_NAMES.filter((chain) => isEvmChain(chain) && chain !== EXCHANGE_CHAIN),
      adapter: evmVault('ethereum'),
      vault: (keys) => ({ chain: 'ethereum', network: 'local', keys, contract: null, token: null, decimals: 6 }),
      start: (vault) => start(fork, vault),
      payee: () => getAddress(`0x${randomBytes(20).toString('hex')}`),
      funds: 10_000n,
      deposit: 5_000n,
      payout: PAYOUT,
      feeOfRefund: () => 0n,
      isUsed: /Used|used/,
      forgeries: [
        {
          what: 'a larger amount by the same signature',
          raw: ({ raw }) => replaced(raw, PAYOUT.toString(16), (PAYOUT + 1n).toString(16)),
          refusal: /Signature|Authorized/i,
        },
        {
          what: 'another payee by the same signature',
          raw: ({ raw }, { to }) => replaced(raw, to, STRANGER.address),
          refusal: /Signature|Authorized/i,
        },
      ],
    });
});

judgesAsTheTableSays();
