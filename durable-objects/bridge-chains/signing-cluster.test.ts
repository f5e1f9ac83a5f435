import { afterEach, expect, test, vi } from 'vitest';
import type { SignerAnswer, SigningJob } from '../../domain/bridge/signing/bridge-signer.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';
import { clusterOf } from './signing-cluster.ts';

afterEach(() => void vi.useRealTimers());

type Says = SignerAnswer<unknown> | 'hangs' | 'is away';
const knows = { ok: true, value: true } as const;
const behind = { ok: false, kind: 'not_yet', reason: 'no such block' } as const;
const fees = (earned: string, paid = '0') => ({ ok: true, value: { earned, paid } }) as const;

/** Five signers that say the same, whatever they are asked. */
function five(...says: readonly Says[]) {
  const asked = async (one: Says) => {
    if (one === 'is away') throw new Error('it is away');
    return one === 'hangs' ? new Promise<never>(() => undefined) : one;
  };
  const signers = says.map((one) => new Proxy({} as HostedSigner, { get: () => () => asked(one) }));
  return clusterOf({} as ChainCalls, signers);
}

const job = {} as SigningJob;
const terms = {} as TransferTerms;

test('a reference is known once three signers know it, whoever hangs', async () => {
  expect(await five('hangs', knows, knows, 'hangs', knows).referenceFault(job)).toBeNull();
  expect(await five(knows, behind, knows, 'is away', knows).referenceFault(job)).toBeNull();
});

test('a reference is unknown once three cannot know it, whoever hangs', async () => {
  const fault = await five('hangs', behind, 'is away', behind, 'hangs').referenceFault(job);
  expect(fault).toContain('signer 1: no such block');
  expect(fault).toContain('signer 2: it is away');
  expect(fault).toContain('signer 4: it has not answered yet');
  expect(await five(knows, behind, knows, 'is away', behind).referenceFault(job)).toContain('signer 3: it is away');
});

test('what is paid out is noted by all five, and who hangs is waited for no longer than a moment', async () => {
  const paidOut = { terms, payment: null };
  expect(await five(knows, knows, knows, knows, knows).notePaidOut(paidOut)).toBe(5);
  expect(await five(knows, 'is away', behind, knows, 'is away').notePaidOut(paidOut)).toBe(2);
  vi.useFakeTimers();
  const noted = five(knows, 'hangs', knows, behind, knows).notePaidOut(paidOut);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await noted).toBe(3);
});

test('fees are what three signers have seen: two that have counted more, or say so, raise nothing', async () => {
  const of = (...says: readonly Says[]) => five(...says).earnedFees(terms);
  expect(await of(fees('9'), fees('900'), fees('800'), fees('7'), fees('8'))).toEqual({ earned: '9', paid: '0' });
  expect(await of(fees('30', '10'), fees('25', '4'), fees('22', '3'), 'is away', behind)).toEqual({
    earned: '22',
    paid: '3',
  });
  expect(await of(fees('9'), fees('9'), behind, 'is away', behind)).toBeNull();
});
