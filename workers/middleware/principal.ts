/** Who is calling, as every profile sees it. */
export type Scope = 'read' | 'trade';

export type Role = 'trader' | 'operator' | 'transfer_agent' | 'partner';

/** Compliance facts of the caller's trading account; `factsVersion` is asserted again at admission. */
export interface AccountFacts {
  readonly accountId: string;
  readonly kycStatus: string;
  readonly accreditationStatus: string;
  readonly accreditationType: '506c' | '506b' | null;
  readonly usPerson: boolean;
  /** US cents. */
  readonly annualIncome: number;
  readonly netWorth: number;
  readonly frozen: boolean;
  readonly factsVersion: number;
}

export interface Principal {
  /** `user`: a person by token; `client`: a machine client by token; `key`: an API key. */
  readonly kind: 'user' | 'client' | 'key';
  readonly userId: string;
  /** The organization: the `owner` claim. */
  readonly owner: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  readonly keyId: string | null;
  /** Largest position per asset in scaled units, of an API key. */
  readonly positionLimits: Readonly<Record<string, number>> | null;
  /** Null for a principal without a trading account. */
  readonly facts: AccountFacts | null;
  readonly clientAddress: string;
}
