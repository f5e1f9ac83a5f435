import { type Address, encodeFunctionData, type Hex, keccak256, parseEther, stringToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttestedClaim, attestationDigest, organizationTag } from '../../../domain/bridge/signing/attestation.ts';
import { STAKE_ABI } from '../../../protocol/bridge/abi/stake-abi.ts';
import {
  type Account,
  ADMIN,
  anId,
  DAY_S,
  deployTestStake,
  deployTestWrapped,
  hasDevnet,
  ORGANIZATION,
  REQUESTER,
  recognition,
  SIGNERS,
  STRANGER,
  type Standing,
  TestChain,
  WATCHTOWER,
} from './bridge.fixtures.ts';
import { TestCluster } from './test-cluster.fixtures.ts';

const STAKE = parseEther('3');
const UNBONDING_S = 21 * DAY_S;
const PROVER = WATCHTOWER;
const NOBODY = '0x0000000000000000000000000000000000000000';

describe.skipIf(!hasDevnet)('the stake of signers', () => {
  let chain: TestChain;
  let stake: Standing;
  let receiver: Standing;
  let wrapped: Standing;
  let cluster: TestCluster;
  let clean: Hex;
  beforeAll(async () => {
    chain = await TestChain.start(8_675_311);
    cluster = new TestCluster();
    wrapped = await deployTestWrapped(chain, cluster);
    receiver = await chain.deployForTests('contracts/bridge/test/HostileReceiver.sol');
    stake = await deployTestStake(chain, receiver.address);
    const { creationCode, args, salt } = recognition(cluster);
    expect((await chain.send(stake, 'recognize', [creationCode, args, salt], STRANGER)).error).toBeNull();
    clean = await chain.clock.snapshot();
  });
  afterAll(() => chain?.stop());

  /** As it was deployed, with a stake of each signer. */
  async function begin(): Promise<void> {
    await chain.clock.revert({ id: clean });
    clean = await chain.clock.snapshot();
    for (const signer of SIGNERS.keys())
      expect((await chain.send(stake, 'stake', [signer], SIGNERS[signer], STAKE)).error).toBeNull();
  }

  const claimOf = (change: Partial<AttestedClaim> = {}): AttestedClaim => ({
    chainId: chain.chainId,
    stake: stake.address,
    organization: ORGANIZATION,
    signer: 2,
    kind: 'payment',
    subject: anId().slice(2),
    digest: keccak256('0x01').slice(2),
    burn: null,
    dueAt: 0,
    ...change,
  });
  const onChain = ({ kind, subject, digest, burn, dueAt }: AttestedClaim) => ({
    kind: stringToHex(kind, { size: 32 }),
    subject: `0x${subject}`,
    digest: `0x${digest}`,
    wrapped: burn?.wrapped ?? NOBODY,
    burner: burn?.burner ?? NOBODY,
    burnAmount: BigInt(burn?.amount ?? 0),
    dueAt: BigInt(dueAt),
  });
  /** A claim with the signature of an account, as `proveEquivocation` takes it. */
  const said = async (claim: AttestedClaim, by = SIGNERS[claim.signer] as Account) => [
    onChain(claim),
    await by.sign({ hash: `0x${attestationDigest(claim)}` }),
  ];
  async function proveTwo(one: AttestedClaim, other: AttestedClaim, by: readonly (Account | undefined)[] = []) {
    const args = [one.signer, ...(await said(one, by[0])), ...(await said(other, by[1]))];
    return (await chain.send(stake, 'proveEquivocation', args, PROVER)).error;
  }
  async function proveNoBurn(claim: AttestedClaim, by?: Account) {
    return (await chain.send(stake, 'proveNoBurn', [claim.signer, ...(await said(claim, by))], PROVER)).error;
  }
  interface Bond {
    readonly stake: bigint;
    readonly unbondedAt: bigint;
    readonly signer: number;
    readonly isKnown: boolean;
    readonly isSlashed: boolean;
  }
  const bondOf = ({ address }: Account) => chain.read<Bond>(stake, 'bondOf', [address]);
  const seatOf = (signer: number) => chain.read<Address>(stake, 'accountOf', [BigInt(signer)]);
  const owed = (address: Address) => chain.read<bigint>(stake, 'owedTo', [address]);
  const other = { digest: keccak256('0x02').slice(2) };

  test('signers sign what the contract reads', async () => {
    const burn = { wrapped: wrapped.address, burner: STRANGER.address, amount: '77' };
    for (const claim of [claimOf(), claimOf({ kind: 'funds', burn, dueAt: 1_800_000_000, signer: 4 })])
      expect(await chain.read(stake, 'digestOf', [claim.signer, onChain(claim)])).toBe(`0x${attestationDigest(claim)}`);
    expect(await chain.read(stake, 'organization')).toBe(organizationTag(ORGANIZATION));
  });

  test('anybody adds to the stake of who has the seat; nothing is none, and there are five seats', async () => {
    await begin();
    expect((await chain.send(stake, 'stake', [0], STRANGER, 5n)).error).toBeNull();
    expect((await bondOf(SIGNERS[0])).stake).toBe(STAKE + 5n);
    expect((await chain.send(stake, 'stake', [0], STRANGER)).error).toBe('NothingStaked');
    expect((await chain.send(stake, 'stake', [5], STRANGER, 5n)).error).toBe('NoSuchSigner');
    expect(await chain.reader.getBalance({ address: stake.address })).toBe(5n * STAKE + 5n);
  });

  test('two words on one thing cost a signer its stake and its seat; a tenth is for who has proved it', async () => {
    await begin();
    const one = claimOf();
    expect(await proveTwo(one, { ...one, ...other })).toBeNull();
    expect(await bondOf(SIGNERS[2])).toMatchObject({ stake: 0n, isSlashed: true });
    expect(await seatOf(2)).toBe(NOBODY);
    expect(await owed(PROVER.address)).toBe(STAKE / 10n);
    expect(await owed(receiver.address)).toBe(STAKE - STAKE / 10n);
    // It was slashed for all that it has said.
    const again = claimOf();
    expect(await proveTwo(again, { ...again, ...other })).toBe('SlashedAlready');
    expect((await chain.send(stake, 'stake', [2], STRANGER, 1n)).error).toBe('EmptySeat');
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[2])).error).toBe('NothingStaked');
  });

  test('what does not contradict itself proves nothing', async () => {
    await begin();
    const one = claimOf();
    const two = { ...one, ...other };
    expect(await proveTwo(one, one)).toBe('NoProof');
    expect(await proveTwo(one, { ...two, subject: anId().slice(2) })).toBe('NoProof');
    expect(await proveTwo(one, { ...two, kind: 'cancel' })).toBe('NoProof');
    expect(await proveTwo(one, { ...one, dueAt: 5 })).toBe('NoProof');
    for (const lie of [
      { chainId: 1 },
      { stake: STRANGER.address },
      { organization: 'another' },
      { signer: 3 },
      { dueAt: 7 },
    ] as const) {
      const signed = await SIGNERS[2].sign({ hash: `0x${attestationDigest({ ...two, ...lie })}` });
      const args = [2, ...(await said(one)), onChain(two), signed];
      expect((await chain.send(stake, 'proveEquivocation', args, PROVER)).error, JSON.stringify(lie)).toBe('NoProof');
    }
    // Neither two signers, nor a stranger, nor one that says it in another's name.
    expect(await proveTwo(one, two, [SIGNERS[2], SIGNERS[3]])).toBe('NoProof');
    expect(await proveTwo(one, two, [STRANGER, STRANGER])).toBe('NoProof');
    expect(await proveTwo(one, two, [SIGNERS[3], SIGNERS[3]])).toBe('NoProof');
    const junk = [2, ...(await said(one)), onChain(two), '0x1234'];
    expect((await chain.send(stake, 'proveEquivocation', junk, PROVER)).error).toBe('ECDSAInvalidSignatureLength');
    for (const signer of SIGNERS) expect((await bondOf(signer)).stake).toBe(STAKE);
  });

  test('a burn that was attested and is not there costs the stake, a day after it had to be there', async () => {
    await begin();
    const id = anId();
    const mint = { chainId: chain.chainId, contract: wrapped.address, generation: 1, action: 'mint' } as const;
    const to = STRANGER.address;
    const signature = cluster.authorize({ ...mint, id, token: wrapped.address, to, amount: 50n });
    expect((await chain.send(wrapped, 'mint', [id, to, 50n, signature])).error).toBeNull();
    expect((await chain.send(wrapped, 'burn', [id, 50n], STRANGER)).error).toBeNull();
    const dueAt = Number(await chain.now());
    const burn = { wrapped: wrapped.address, burner: to, amount: '50' };
    const truth = claimOf({ kind: 'funds', subject: id.slice(2), burn, dueAt });
    const lies = [
      { ...truth, subject: anId().slice(2) },
      { ...truth, burn: { ...burn, amount: '51' } },
      { ...truth, burn: { ...burn, burner: ADMIN.address } },
    ];
    for (const lie of lies) expect(await proveNoBurn(lie)).toBe('NoProof');
    await chain.pass(DAY_S - 100);
    for (const lie of lies) expect(await proveNoBurn(lie)).toBe('NoProof');
    await chain.pass(101);
    expect(await proveNoBurn(truth)).toBe('NoProof');
    // Funds that are no burn, and words that are not on funds, are not proved by burns.
    expect(await proveNoBurn({ ...truth, burn: null })).toBe('NoProof');
    expect(await proveNoBurn({ ...truth, kind: 'payment', burn: { ...burn, amount: '51' } })).toBe('NoProof');
    expect(await proveNoBurn(lies[0] as AttestedClaim, STRANGER)).toBe('NoProof');
    for (const lie of lies) {
      const before = await chain.clock.snapshot();
      expect(await proveNoBurn(lie)).toBeNull();
      expect((await bondOf(SIGNERS[2])).isSlashed).toBe(true);
      await chain.clock.revert({ id: before });
    }
  });

  test('B-17: a token whose code changes after a burn costs an honest signer nothing, nor does one that the bridge has not deployed', async () => {
    await begin();
    const changing = await chain.deployForTests('contracts/bridge/test/ChangingToken.sol');
    const id = anId();
    expect((await chain.send(changing, 'burn', [id, 50n], STRANGER)).error).toBeNull();
    const dueAt = Number(await chain.now());
    const burn = { wrapped: changing.address, burner: STRANGER.address, amount: '50' };
    const truth = claimOf({ kind: 'funds', subject: id.slice(2), burn, dueAt });
    await chain.pass(DAY_S + 1);
    expect(await proveNoBurn(truth)).toBe('NoProof');
    expect((await chain.send(changing, 'change', [])).error).toBeNull();
    expect(await proveNoBurn(truth)).toBe('NoProof');
    for (const token of [STRANGER.address, NOBODY] as const)
      expect(await proveNoBurn({ ...truth, burn: { ...burn, wrapped: token } })).toBe('NoProof');
    expect(await bondOf(SIGNERS[2])).toMatchObject({ stake: STAKE, isSlashed: false });
    expect(await seatOf(2)).toBe(SIGNERS[2].address);
  });

  test('B-17: the bridge’s tokens are recognized by their code, whoever shows it, and nothing else is, whoever asks', async () => {
    await begin();
    const { address, creationCode, args, salt } = recognition(cluster);
    expect(address).toBe(wrapped.address);
    expect(await chain.read(stake, 'isRecognized', [address])).toBe(true);
    const recognize = async (...given: readonly unknown[]) =>
      (await chain.send(stake, 'recognize', given, ADMIN)).error;
    expect(await recognize(creationCode, args, salt)).toBeNull();
    // The same code, where nothing was deployed, and other code.
    expect(await recognize(creationCode, args, anId())).toBe('NotOfTheBridge');
    const other = recognition(cluster, 5n);
    expect(await recognize(other.creationCode, other.args, other.salt)).toBe('NotOfTheBridge');
    expect(await recognize(`${creationCode.slice(0, -2)}00`, args, salt)).toBe('NotOfTheBridge');
    expect(await recognize('0x', `${creationCode}${args.slice(2)}`, salt)).toBe('NotOfTheBridge');
    expect(await chain.read(stake, 'isRecognized', [other.address])).toBe(false);
  });

  test('a signer has its stake back three weeks after it has left its seat, and not before', async () => {
    await begin();
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[1])).error).toBe('StillBonded');
    expect((await chain.send(stake, 'resign', [1], SIGNERS[0])).error).toBe('NotTheSigner');
    // Time in the seat does not count.
    await chain.pass(2 * UNBONDING_S);
    expect((await chain.send(stake, 'resign', [1], SIGNERS[1])).error).toBeNull();
    expect(await seatOf(1)).toBe(NOBODY);
    expect((await chain.send(stake, 'resign', [1], SIGNERS[1])).error).toBe('EmptySeat');
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[1])).error).toBe('StillBonded');
    await chain.pass(UNBONDING_S - 100);
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[1])).error).toBe('StillBonded');
    await chain.pass(200);
    const before = await chain.reader.getBalance({ address: stake.address });
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[1])).error).toBeNull();
    expect(before - (await chain.reader.getBalance({ address: stake.address }))).toBe(STAKE);
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[1])).error).toBe('NothingStaked');
  });

  test('one that has left answers for what it has said until its stake is withdrawn', async () => {
    await begin();
    expect((await chain.send(stake, 'resign', [2], SIGNERS[2])).error).toBeNull();
    expect((await chain.send(stake, 'seat', [2, STRANGER.address], ADMIN)).error).toBeNull();
    await chain.send(stake, 'stake', [2], STRANGER, STAKE);
    await chain.pass(UNBONDING_S + 1);
    const one = claimOf();
    // Words of two that had the seat one after the other contradict nobody.
    expect(await proveTwo(one, { ...one, ...other }, [SIGNERS[2], STRANGER])).toBe('NoProof');
    expect(await proveTwo(one, { ...one, ...other }, [SIGNERS[2], SIGNERS[2]])).toBeNull();
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[2])).error).toBe('NothingStaked');
    expect(await seatOf(2)).toBe(STRANGER.address);
    expect((await bondOf(STRANGER)).stake).toBe(STAKE);
    expect(await proveTwo(one, { ...one, ...other }, [STRANGER, STRANGER])).toBeNull();
    expect(await seatOf(2)).toBe(NOBODY);
  });

  test('the admin fills a seat with an account that has never had one; who has had it leaves with its stake bonded', async () => {
    await begin();
    for (const account of [SIGNERS[0].address, SIGNERS[3].address, NOBODY])
      expect((await chain.send(stake, 'seat', [3, account], ADMIN)).error).toBe('SeatedBefore');
    expect((await chain.send(stake, 'seat', [5, REQUESTER.address], ADMIN)).error).toBe('NoSuchSigner');
    expect((await chain.send(stake, 'seat', [3, REQUESTER.address], ADMIN)).error).toBeNull();
    expect(await seatOf(3)).toBe(REQUESTER.address);
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[3])).error).toBe('StillBonded');
    expect((await chain.send(stake, 'seat', [3, SIGNERS[3].address], ADMIN)).error).toBe('SeatedBefore');
    await chain.pass(UNBONDING_S + 1);
    expect((await chain.send(stake, 'withdraw', [], SIGNERS[3])).error).toBeNull();
    // A wei from a stranger keeps nobody in a seat.
    await chain.send(stake, 'stake', [3], STRANGER, 1n);
    expect((await chain.send(stake, 'seat', [3, STRANGER.address], ADMIN)).error).toBeNull();
  });

  test('who cannot take coin hinders no slashing, and has it once it can', async () => {
    await begin();
    await chain.send(receiver, 'refuse', [true]);
    const one = claimOf();
    expect(await proveTwo(one, { ...one, ...other })).toBeNull();
    expect((await chain.send(stake, 'collect', [receiver.address])).error).not.toBeNull();
    expect(await owed(receiver.address)).toBe(STAKE - STAKE / 10n);
    await chain.send(receiver, 'refuse', [false]);
    const again = encodeFunctionData({ abi: STAKE_ABI, functionName: 'collect', args: [receiver.address] });
    await chain.send(receiver, 'callBack', [stake.address, again]);
    expect((await chain.send(stake, 'collect', [receiver.address])).error).toBeNull();
    expect(await chain.read(receiver, 'hasReached')).toBe(false);
    expect(await chain.reader.getBalance({ address: receiver.address })).toBe(STAKE - STAKE / 10n);
    expect((await chain.send(stake, 'collect', [receiver.address])).error).toBe('NothingOwed');
    const before = await chain.reader.getBalance({ address: PROVER.address });
    expect((await chain.send(stake, 'collect', [PROVER.address], STRANGER)).error).toBeNull();
    expect((await chain.reader.getBalance({ address: PROVER.address })) - before).toBe(STAKE / 10n);
    expect(await chain.reader.getBalance({ address: stake.address })).toBe(4n * STAKE);
  });
});
