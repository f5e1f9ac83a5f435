interface Standing {
  readonly kycStatus: string;
  readonly accreditationStatus: string;
}

export type Waiting = 'identity' | 'accreditation';

/** What the account's standing asks of its holder. Nobody has to be accredited: only a path that was begun waits. */
export function waitsFor({ kycStatus, accreditationStatus }: Standing): Waiting[] {
  return [
    ...(kycStatus === 'completed' ? [] : (['identity'] as const)),
    ...(['pending', 'in_progress', 'expired'].includes(accreditationStatus) ? (['accreditation'] as const) : []),
  ];
}
