import { shortId } from '../parts/short-id.ts';
import type { Approval } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { askedCall } from './asked-call.ts';

type Shown = Pick<Approval, 'state' | 'usedBy'>;

/** An approval that was used has done its work. */
export function approvalState({ state, usedBy }: Shown): Approval['state'] | 'made' {
  return usedBy === null ? state : 'made';
}

export function toneOfApproval(approval: Shown): 'ok' | 'warn' | 'bad' | 'run' {
  return ({ asked: 'warn', approved: 'run', rejected: 'bad', made: 'ok' } as const)[approvalState(approval)];
}

/** What is open to whoever looks at an approval: nobody approves what they have asked for; what was approved may still be rejected. */
export function choicesOf(
  { state, usedBy, own, expiresAt }: Pick<Approval, 'state' | 'usedBy' | 'own' | 'expiresAt'>,
  now: number,
): readonly ('approve' | 'reject' | 'make')[] {
  if (usedBy !== null || state === 'rejected' || Date.parse(expiresAt) <= now) return [];
  if (own) return state === 'approved' ? ['make'] : [];
  return state === 'asked' ? ['approve', 'reject'] : ['reject'];
}

/** Fields of a call's body as text, by name. */
export function fieldsOf(body: unknown): readonly (readonly [string, string])[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}

export function fieldOf(body: unknown, name: string): string | null {
  return fieldsOf(body).find(([known]) => known === name)?.[1] ?? null;
}

/** What a call does, in one line. */
export function useCallTitle(): (approval: Pick<Approval, 'call' | 'body'>) => string {
  const { o, price } = useOperatorWords();
  return ({ call, body }) => {
    const { kind, subject, method, path } = askedCall(call);
    if (kind === 'other') return `${method} ${path}`;
    const amount = fieldOf(body, 'amount');
    return o(`asked.${kind}`, {
      subject: subject === null ? '' : shortId(subject),
      amount: amount === null ? '' : price(amount),
      asset: (fieldOf(body, 'assetId') ?? '').toUpperCase(),
      name: fieldOf(body, 'name') ?? '',
    });
  };
}
