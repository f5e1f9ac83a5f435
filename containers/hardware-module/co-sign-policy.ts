import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';

/** What the module signs of an asset. Amounts are scaled integers of the ledger. */
interface AssetRule {
  /** Of one transfer at most. */
  readonly transferMax: number;
  /** Of all transfers in a window at most. */
  readonly windowMax: number;
}

/** What a module signs, whoever asks. */
export interface CoSignRules {
  readonly organizations: readonly string[];
  readonly assets: Readonly<Record<string, AssetRule>>;
  readonly window_ms: number;
  /** Transfers in a window, of all assets. */
  readonly countMax: number;
}

/** What it has signed. */
export interface CoSigned {
  readonly commitment: string;
  readonly asset: string;
  readonly amount: number;
  /** Unix ms. */
  readonly at: number;
}

/** Why the module does not sign a transfer; null where it does. One that it has signed it signs again, and counts once. */
export function coSignFault(
  rules: CoSignRules,
  signed: readonly CoSigned[],
  { organization, asset, amount }: TransferTerms,
  commitment: string,
  now: number,
): string | null {
  if (!rules.organizations.includes(organization)) return 'the organization is not served';
  const rule = Object.hasOwn(rules.assets, asset) ? rules.assets[asset] : undefined;
  if (rule === undefined) return 'the asset is not served';
  if (!Number.isSafeInteger(amount) || amount <= 0) return 'the amount is none';
  if (signed.some((each) => each.commitment === commitment)) return null;
  if (amount > rule.transferMax) return 'the amount is more than one transfer may have';
  const recent = signed.filter(({ at }) => now - at < rules.window_ms);
  if (recent.length >= rules.countMax) return 'too many transfers were signed lately';
  const sum = recent.filter((each) => each.asset === asset).reduce((total, each) => total + each.amount, amount);
  return sum > rule.windowMax ? 'too much of the asset was signed lately' : null;
}
