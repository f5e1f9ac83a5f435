import { type Hex, keccak256, numberToHex, parseTransaction } from 'viem';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChainTransport, type ChainView, RpcRefusal, Unpayable } from '../chain-adapter.ts';
import { evmVault } from './evm-adapter.ts';
import { fateOf, relay, relayUntil } from './relay.ts';

const RELAYER = `0x${'11'.repeat(32)}`;
const TO = '0x00000000000000000000000000000000000000aa';
/** In a block, and sent by somebody else with the same key. */
const OF_ANOTHER: Hex = '0x';
const call = (data: Hex) => ({ to: TO, data }) as const;

/** A node's pool of one account's transactions: one for each nonce, which another one replaces that pays more. */
class Pool implements ChainTransport {
  readonly waiting = new Map<number, Hex>();
  readonly mined: Hex[] = [];
  readonly sent: Hex[] = [];
  gasPrice = 100n;
  estimate = 50_000;
  /** In a block, and came to nothing. */
  readonly failed: Hex[] = [];
  /** Before the node answers this method once. */
  before: ((method: string) => void) | null = null;

  readonly rpc = async (method: string, params: unknown): Promise<unknown> => {
    this.before?.(method);
    const given = params as readonly unknown[];
    switch (method) {
      case 'eth_estimateGas':
        return numberToHex(this.estimate);
      case 'eth_chainId':
        return numberToHex(1);
      case 'eth_gasPrice':
      case 'eth_maxPriorityFeePerGas':
        return numberToHex(this.gasPrice);
      case 'eth_getTransactionCount':
        return numberToHex(this.mined.length + (given[1] === 'pending' ? this.waiting.size : 0));
      case 'eth_getTransactionReceipt': {
        const hash = given[0];
        const found = this.mined.some((raw) => keccak256(raw) === hash);
        const status = this.failed.some((raw) => keccak256(raw) === hash) ? '0x0' : '0x1';
        return found ? { blockNumber: '0x1', status, transactionHash: hash } : null;
      }
      case 'eth_getTransactionByHash': {
        const raw = [...this.waiting.values(), ...this.mined].find((one) => keccak256(one) === given[0]);
        if (raw === undefined) return null;
        const { nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(raw);
        return {
          nonce: numberToHex(nonce),
          blockNumber: this.mined.includes(raw) ? '0x1' : null,
          maxFeePerGas: numberToHex(maxFeePerGas),
          maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
        };
      }
      case 'eth_sendRawTransaction':
        return this.take(given[0] as Hex);
      default:
        throw new Error(`the node knows no ${method}`);
    }
  };

  take(raw: Hex): Hex {
    this.sent.push(raw);
    const { nonce = 0, maxFeePerGas = 0n } = parseTransaction(raw);
    if (nonce < this.mined.length) throw new RpcRefusal(-32_000, 'nonce too low');
    const other = this.waiting.get(nonce);
    if (other === raw) throw new RpcRefusal(-32_000, 'already known');
    if (other !== undefined && (parseTransaction(other).maxFeePerGas ?? 0n) >= maxFeePerGas)
      throw new RpcRefusal(-32_000, 'replacement transaction underpriced');
    this.waiting.set(nonce, raw);
    return keccak256(raw);
  }

  /** Puts the next transaction into a block. */
  mine(): void {
    const raw = this.waiting.get(this.mined.length);
    if (raw === undefined) return;
    this.waiting.delete(this.mined.length);
    this.mined.push(raw);
  }

  hasMined(data: Hex): boolean {
    return this.mined.some((raw) => raw !== OF_ANOTHER && parseTransaction(raw).data === data);
  }

  get(): Promise<never> {
    throw new Error('nobody asks by GET');
  }
  post(): Promise<never> {
    throw new Error('nobody asks by POST');
  }
}

describe('the relayer', () => {
  let pool: Pool;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    pool = new Pool();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const nonces = () => pool.sent.map((raw) => parseTransaction(raw).nonce ?? 0);
  /** What comes of it, with every rest over at once. */
  async function outcome<Result>(work: Promise<Result>): Promise<Result> {
    const settled = Promise.allSettled([work]);
    await vi.runAllTimersAsync();
    const [result] = await settled;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }

  test('goes behind those that wait', async () => {
    await relay(pool, RELAYER, call('0x01'));
    await relay(pool, RELAYER, call('0x02'));
    expect(nonces()).toEqual([0, 1]);
  });

  test('takes the place of the first, for a fifth more, where ten wait', async () => {
    for (let at = 1; at <= 10; at++) await relay(pool, RELAYER, call(`0x0${at.toString(16)}` as Hex));
    const hash = await relay(pool, RELAYER, call('0xff'));
    expect(keccak256(pool.waiting.get(0) as Hex)).toBe(hash);
    expect(parseTransaction(pool.waiting.get(0) as Hex).maxFeePerGas).toBe(360n);
  });

  test('takes another nonce where another has taken it meanwhile', async () => {
    let isFirst = true;
    pool.before = (method) => {
      if (method !== 'eth_sendRawTransaction' || !isFirst) return;
      isFirst = false;
      pool.mined.push(OF_ANOTHER);
    };
    await outcome(relay(pool, RELAYER, call('0x01')));
    expect(nonces()).toEqual([0, 1]);
  });

  test('is content where the very same transaction waits already', async () => {
    const hash = await relay(pool, RELAYER, call('0x01'));
    const raw = pool.waiting.get(0) as Hex;
    pool.waiting.clear();
    pool.before = (method) => {
      if (method === 'eth_sendRawTransaction') pool.waiting.set(0, raw);
    };
    expect(await relay(pool, RELAYER, call('0x01'))).toBe(hash);
  });

  test('gives up where every nonce is taken, and at once where the node refuses something else', async () => {
    pool.take = (raw) => {
      pool.sent.push(raw);
      throw new RpcRefusal(-32_000, 'nonce too low');
    };
    await expect(outcome(relay(pool, RELAYER, call('0x01')))).rejects.toThrow('nonce too low');
    expect(pool.sent).toHaveLength(10);
    pool.take = () => {
      throw new RpcRefusal(-32_000, 'insufficient funds');
    };
    await expect(relay(pool, RELAYER, call('0x01'))).rejects.toThrow('insufficient funds');
    await expect(relay(pool, null, call('0x01'))).rejects.toThrow('no relayer');
  });

  const gasOf = (at: number) => parseTransaction(pool.sent[at] as Hex).gas;

  test('gives a payment no more gas than was paid for, and sends none that takes more', async () => {
    const bounds = { gasMax: 60_000n };
    await relay(pool, RELAYER, call('0x01'));
    await relay(pool, RELAYER, call('0x01'), bounds);
    expect([gasOf(0), gasOf(1)]).toEqual([62_500n, 60_000n]);
    pool.estimate = 60_001;
    await expect(relay(pool, RELAYER, call('0x01'), bounds)).rejects.toThrow(Unpayable);
    expect(pool.sent).toHaveLength(2);
  });

  test('knows what has become of a transaction, and puts another in the place of one that is outbid', async () => {
    const hash = await relay(pool, RELAYER, call('0x01'));
    await relay(pool, RELAYER, call('0x02'));
    expect(await fateOf(pool, hash)).toBe('waits');
    const view = { transport: pool, relayer: RELAYER } as unknown as ChainView;
    expect(await evmVault('ethereum').relayedFate?.(view, hash)).toBe('waits');
    // It offers 300: as much again, and the tip.
    pool.gasPrice = 301n;
    expect(await fateOf(pool, hash)).toBe('outbid');
    const replaced = await relay(pool, RELAYER, call('0x01'), { gasMax: 100_000n, instead: hash });
    expect(nonces()).toEqual([0, 1, 0]);
    expect([await fateOf(pool, hash), await fateOf(pool, replaced)]).toEqual(['unknown', 'waits']);
    pool.mine();
    expect(await fateOf(pool, replaced)).toBe('landed');
    pool.mine();
    pool.failed.push(pool.mined[1] as Hex);
    expect(await fateOf(pool, keccak256(pool.mined[1] as Hex))).toBe('failed');
    // More than it ever offers: nothing could take its place.
    pool.gasPrice = 3_000n * 10n ** 9n;
    expect(await fateOf(pool, await relay(pool, RELAYER, call('0x03')))).toBe('waits');
  });

  test('sends nothing beside a transaction that it was to replace, and that is in a block by now', async () => {
    const hash = await relay(pool, RELAYER, call('0x01'));
    pool.before = (method) => {
      if (method === 'eth_gasPrice') pool.mine();
    };
    const again = relay(pool, RELAYER, call('0x01'), { gasMax: 100_000n, instead: hash });
    await expect(again).rejects.toThrow('nonce too low');
    expect(pool.waiting.size).toBe(0);
  });

  const until = (data: Hex) =>
    relayUntil(pool, RELAYER, call(data), {
      effect: async () => (pool.hasMined(data) ? 'done' : null),
      otherwise: 'not in a block yet',
    });

  test('waits for what a call does, and sends it once', async () => {
    let polls = 0;
    pool.before = (method) => {
      if (method === 'eth_getTransactionReceipt') throw new Error('nobody has used the nonce');
      if (method === 'eth_getTransactionCount' && pool.sent.length === 1 && ++polls === 3) pool.mine();
    };
    expect(await outcome(until('0x01'))).toBe('done');
    expect(pool.sent).toHaveLength(1);
  });

  test('sends a call anew whose transaction another one has replaced', async () => {
    const replaced: Hex[] = [];
    pool.before = (method) => {
      if (method !== 'eth_getTransactionCount' || pool.sent.length === 0) return;
      // Somebody who pays more was first with this nonce.
      if (replaced.length === 0) {
        replaced.push(pool.waiting.get(0) as Hex);
        pool.waiting.clear();
        pool.mined.push(OF_ANOTHER);
      } else pool.mine();
    };
    expect(await outcome(until('0x01'))).toBe('done');
    expect(nonces()).toEqual([0, 1]);
    expect(pool.mined).not.toContain(replaced[0]);
  });

  test('does not send a call anew that is in a block and whose effect another node does not show yet', async () => {
    let looks = 0;
    const work = relayUntil(pool, RELAYER, call('0x01'), {
      effect: async () => {
        pool.mine();
        looks += 1;
        return looks === 4 ? 'done' : null;
      },
      otherwise: 'not in a block yet',
    });
    expect(await outcome(work)).toBe('done');
    expect(pool.sent).toHaveLength(1);
  });

  test('says so where it is in no block after a while', async () => {
    await expect(outcome(until('0x01'))).rejects.toThrow('not in a block yet');
    expect(pool.sent).toHaveLength(1);
  });
});
