import type { SigningScheme } from '../../chains/chain-adapter.ts';
import type { PublicCluster } from '../key-share.ts';
import { PlainMemory } from '../memory/plain-memory.fixtures.ts';
import type { CeremonySigner, CeremonyTerms } from './ceremony.ts';
import { CeremonyHost } from './ceremony-host.ts';

export const ORGANIZATION = 'acme';

/** Five disks, and signers over them that may be started again. */
export interface TestSigners {
  readonly memories: readonly PlainMemory[];
  readonly hosts: CeremonySigner[];
  roster(): Promise<string[]>;
}

export function testSigners(roster: readonly string[] | null = null): TestSigners {
  const memories = Array.from({ length: 5 }, () => new PlainMemory());
  const hosts = memories.map((memory, number) => testSigner(memory, number, roster));
  return { memories, hosts, roster: () => Promise.all(hosts.map((host) => host.identity())) };
}

export function testSigner(
  memory: PlainMemory,
  number: number,
  roster: readonly string[] | null = null,
  now = () => 0,
): CeremonyHost {
  return new CeremonyHost({ organization: ORGANIZATION, number, memory, roster, now });
}

export async function makeTerms(signers: TestSigners, scheme: SigningScheme, id = 'first'): Promise<CeremonyTerms> {
  const roster = await signers.roster();
  const dealers = roster.map((key, signer) => ({ signer, key }));
  return { id, organization: ORGANIZATION, scheme, kind: 'make', generation: 1, roster, dealers, from: null };
}

/** @param dealers numbers of those who deal */
export async function reshareTerms(
  from: PublicCluster,
  old: TestSigners,
  dealers: readonly number[],
  next: TestSigners = old,
): Promise<CeremonyTerms> {
  const [before, roster] = await Promise.all([old.roster(), next.roster()]);
  return {
    id: `after ${from.generation}`,
    organization: ORGANIZATION,
    scheme: from.scheme,
    kind: 'reshare',
    generation: from.generation + 1,
    roster,
    dealers: dealers.map((signer) => ({ signer, key: before[signer] ?? '' })),
    from,
  };
}
