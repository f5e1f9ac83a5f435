import { randomBytes } from 'node:crypto';
import { type Abi, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChainTransport } from '../../../domain/bridge/chains/chain-adapter.ts';
import { proveLie, readBond, readSeats } from '../../../domain/bridge/chains/evm/stake-client.ts';
import { type AttestedClaim, attestationDigest } from '../../../domain/bridge/signing/attestation.ts';
import type { SignedWord } from '../../../domain/bridge/signing/judge-word.ts';
import { STAKE_ABI } from '../../../protocol/bridge/abi/stake-abi.ts';
import { devnetAccount } from '../../../scripts/contracts/devnet.ts';
import { DAY_S, hasDevnet, type Standing } from './bridge.fixtures.ts';
import { BridgeChains, CUSTOMER, DEPLOYER, relayerKey, STRANGER } from './bridge-chains.fixtures.ts';

const ORGANIZATION = 'acme';
const STAKE = parseEther('2');
const anId = () => randomBytes(32).toString('hex');
const seated = (signer: number) => devnetAccount(6 + signer);

describe.skipIf(!hasDevnet)('the client of the signers’ stake', () => {
  let chains: BridgeChains;
  let clean: `0x${string}`;
  beforeAll(async () => {
    chains = await BridgeChains.start(ORGANIZATION);
    clean = await chains.exchange.clock.snapshot();
  });
  afterAll(() => chains?.stop());
  beforeEach(async () => {
    await chains.exchange.clock.revert({ id: clean });
    clean = await chains.exchange.clock.snapshot();
    expect((await chains.exchange.send(standing(), 'stake', [2], STRANGER, STAKE)).error).toBeNull();
  });

  const standing = (): Standing => ({ address: chains.stake, abi: STAKE_ABI as Abi });
  const claimOf = (change: Partial<AttestedClaim> = {}): AttestedClaim => ({
    chainId: 8_675_311,
    stake: chains.stake,
    organization: ORGANIZATION,
    signer: 2,
    kind: 'funds',
    subject: anId(),
    digest: anId(),
    burn: null,
    dueAt: 0,
    ...change,
  });
  async function said(claim: AttestedClaim, by = seated(claim.signer)): Promise<SignedWord> {
    const signature = await by.sign({ hash: `0x${attestationDigest(claim)}` });
    return { signer: claim.signer, account: by.address, claim, signature: signature.slice(2) };
  }
  const bondOf = (signer: number) => readBond(chains.exchange.transport, chains.stake, seated(signer).address);
  const equivocation = async (one: AttestedClaim, other: AttestedClaim, by?: ReturnType<typeof seated>) =>
    proveLie(chains.exchange.transport, relayerKey(), {
      kind: 'equivocation',
      words: [await said(one, by), await said(other, by)],
    });
  const noBurn = async (claim: AttestedClaim, transport = chains.exchange.transport) =>
    proveLie(transport, relayerKey(), { kind: 'no_burn', words: [await said(claim)] });

  /** Has wrapped tokens of a transfer burnt. @returns what an honest signer says of it */
  async function burnt(amount: bigint): Promise<AttestedClaim> {
    const { wrapped } = chains;
    const subject = anId();
    const to = CUSTOMER.address;
    const order = await chains.orderOf(wrapped, { kind: 'payout', commitment: anId(), to, amount: String(amount) });
    await chains.handIn(wrapped, await chains.signed(wrapped, order));
    expect(await chains.deposit(wrapped, subject, amount)).toBe(true);
    const burn = { wrapped: wrapped.contract ?? '', burner: to, amount: String(amount) };
    return claimOf({ subject, burn, dueAt: Number(await chains.exchange.now()) });
  }

  test('reads who has which seat, and with what', async () => {
    const seats = await readSeats(chains.exchange.transport, chains.stake);
    expect(seats).toEqual(
      [0, 1, 2, 3, 4].map((signer) => ({
        account: seated(signer).address,
        stake: signer === 2 ? String(STAKE) : '0',
      })),
    );
  });

  test('has a signer slashed that has said two things of one, once', async () => {
    const one = claimOf();
    const other = { ...one, digest: anId() };
    expect(await equivocation(one, other)).toBe('slashed');
    expect(await bondOf(2)).toEqual({ stake: '0', isSlashed: true });
    expect((await readSeats(chains.exchange.transport, chains.stake))[2]).toEqual({ account: null, stake: '0' });
    // Again, and by two at once, it is the same, and costs no transaction.
    const before = await chains.exchange.reader.getTransactionCount({ address: devnetAccount(2).address });
    expect(await Promise.all([equivocation(one, other), equivocation(one, other)])).toEqual(['slashed', 'slashed']);
    expect(await chains.exchange.reader.getTransactionCount({ address: devnetAccount(2).address })).toBe(before);
    const proof = { kind: 'equivocation', words: [await said(one), await said(other)] } as const;
    expect(await proveLie(chains.exchange.transport, null, proof)).toBe('slashed');
  });

  test('has nobody slashed for what contradicts nothing, or that another has said', async () => {
    const one = claimOf();
    expect(await equivocation(one, { ...one, dueAt: 5 })).toBe('no_proof');
    expect(await equivocation(one, { ...one, digest: anId() }, STRANGER)).toBe('no_proof');
    expect(await bondOf(2)).toEqual({ stake: String(STAKE), isSlashed: false });
  });

  test('has a signer slashed for a burn that is not there, a day after it had to be', async () => {
    const truth = await burnt(50n);
    const lie = { ...truth, subject: anId() };
    expect(await noBurn(lie)).toBe('not_due');
    await chains.exchange.pass(DAY_S - 60);
    expect(await noBurn(lie)).toBe('not_due');
    await chains.exchange.pass(61);
    expect(await noBurn(truth)).toBe('no_proof');
    expect(await noBurn({ ...lie, burn: null })).toBe('no_proof');
    expect(await bondOf(2)).toEqual({ stake: String(STAKE), isSlashed: false });
    expect(await noBurn(lie)).toBe('slashed');
    expect(await bondOf(2)).toEqual({ stake: '0', isSlashed: true });
  });

  test('sends no proof while the burn stands at one of both depths, and has nobody slashed by a node that hides it', async () => {
    const truth = await burnt(50n);
    await chains.exchange.pass(DAY_S + 1);
    await chains.exchange.clock.mine({ blocks: 3 });
    const newest = await chains.exchange.reader.getBlockNumber();
    const sent: string[] = [];
    /** A node that says of some blocks that nothing was burnt in them. */
    const hiding = (isHidden: (block: bigint) => boolean): ChainTransport => ({
      ...chains.exchange.transport,
      rpc: async (method, params) => {
        sent.push(method);
        const [{ data } = { data: '' }, block] = params as [{ data: string }?, string?];
        const isBurnOf = method === 'eth_call' && block !== undefined && block !== 'latest' && data.length === 138;
        if (isBurnOf && isHidden(BigInt(block))) return `0x${'0'.repeat(64)}`;
        return chains.exchange.transport.rpc(method, params);
      },
    });
    for (const isHidden of [(block: bigint) => block === newest, (block: bigint) => block < newest]) {
      expect(await noBurn(truth, hiding(isHidden))).toBe('no_proof');
      expect(sent).not.toContain('eth_estimateGas');
    }
    expect(
      await noBurn(
        truth,
        hiding(() => true),
      ),
    ).toBe('no_proof');
    expect(sent).toContain('eth_estimateGas');
    expect(sent).not.toContain('eth_sendRawTransaction');
    expect(await bondOf(2)).toEqual({ stake: String(STAKE), isSlashed: false });
  });

  test('says nothing where the chain, or a relayer, is away', async () => {
    const one = claimOf();
    const words = [await said(one), await said({ ...one, digest: anId() })] as const;
    const proof = { kind: 'equivocation', words } as const;
    await expect(proveLie(chains.exchange.transport, null, proof)).rejects.toThrow('no relayer');
    const poor = `0x${'77'.repeat(32)}`;
    await expect(proveLie(chains.exchange.transport, poor, proof)).rejects.toThrow();
    const away = {
      ...chains.exchange.transport,
      rpc: async () => {
        throw new Error('away');
      },
    };
    await expect(proveLie(away, relayerKey(), proof)).rejects.toThrow('away');
    await expect(readSeats(away, chains.stake)).rejects.toThrow('away');
    // Nor where nothing stands at the address.
    await expect(readSeats(chains.exchange.transport, DEPLOYER.address)).rejects.toThrow();
    expect(await bondOf(2)).toEqual({ stake: String(STAKE), isSlashed: false });
  });
});
