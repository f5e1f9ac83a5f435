import type { Session } from '../local/session.ts';

/** Opens the account of a customer of a tenant's organization, who is known already. @returns its id */
export async function openCustomer(operator: Session, organization: string): Promise<string> {
  const phone = `+1555${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`;
  const { data } = await operator.call<{ data: { accountId: string } }>('POST /v1/operator/users', {
    owner: organization,
    name: 'Dana Reyes',
    email: `dana@${organization}.example`,
    phone,
    facts: { kycStatus: 'completed' },
  });
  return data.accountId;
}

/** USDC that an account has available. */
export async function availableUsdc(operator: Session, account: string): Promise<number> {
  const { data } = await operator.call<{ data: { balances: { assetId: string; available: number }[] } }>(
    `GET /v1/operator/accounts/${account}`,
  );
  return data.balances.find(({ assetId }) => assetId === 'usdc')?.available ?? 0;
}
