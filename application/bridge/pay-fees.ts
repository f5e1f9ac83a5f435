import { findBridgeOrganization, findVault } from '../../data/bridge/tenants.ts';
import { countFees, listPaid } from '../../data/bridge/transfers.ts';
import { findAssetBySymbol } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { asksForTwoOperators } from '../../data/identity/approvals.ts';
import { type ChainName, EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { evmChainId } from '../../domain/bridge/chains/evm/evm-chains.ts';
import { earnsFees } from '../../domain/bridge/fees/earned-fee.ts';
import { FEES_ACCOUNT } from '../../domain/bridge/fees/fee-terms.ts';
import { laneOf } from '../../domain/bridge/lane.ts';
import { laneTermsOf, ROOM_HELD_PERCENT } from '../../domain/bridge/lane-terms.ts';
import type { EarnedFees } from '../../domain/bridge/signing/bridge-signer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { isVaultOf } from '../../domain/bridge/vault-signing.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { createdAtOf } from '../../domain/ids/created-at-of.ts';
import { fromScaled, toScaled } from '../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { ChainAway, chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import { clusterOf } from '../../durable-objects/bridge-chains/signing-cluster.ts';
import { signersOf } from '../../durable-objects/signer/api.ts';
import { bridgeTransferOf, type TransferStart, type TransferView } from '../../durable-objects/transfer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askAgain } from '../objects/ask-again.ts';
import { needsSecond } from '../operator/approvals/second-operator.ts';
import { placesRefusal } from './agree-on-places.ts';
import type { Tenant } from './tenant-at.ts';
import { signersRefusal } from './tenant-signers.ts';

/** How long a payout of fees waits for an operator, where it needs one. */
const APPROVAL_MS_MAX = 7 * DAY_MS;
/** Payouts of fees of an organization within 24 hours: the relayer pays for their transactions. */
const PAYOUTS_A_DAY_MAX = 24;
/** Transfers of one recount: each asks five signers, and each signer its nodes. */
const RECOUNTED_MAX = 20;

interface FeesRequest {
  /** UUIDv7 of the payout: asked for again, it is the same one. */
  readonly id: string;
  /** Symbol of the ledger's asset. */
  readonly asset: string;
  /** Where the vault is. */
  readonly chain: ChainName;
  /** In whole units of the asset; left out for all that is there. */
  readonly amount?: number | undefined;
}

/** What a lane's fees come to, in units of its vault. */
interface LaneFees extends EarnedFees {
  /** Whom they are paid out to, for what begins now. */
  readonly address: string;
  readonly available: string;
}

type OwnTenant = Tenant & { readonly organization: string };

/** What three signers have seen of a lane's fees. */
export async function readFees(
  env: Env,
  tenant: OwnTenant,
  lane: Omit<FeesRequest, 'amount'>,
): Promise<Result<LaneFees, ApiError>> {
  return away(lane.id, async () => {
    const found = await feesAt(env, tenant, lane);
    if (!found.ok) return found;
    const { address, earned, paid, available } = found.value;
    return ok({ address, earned, paid, available: String(available) });
  });
}

/** Has fees paid out that a vault has earned, to the address that is stated of its lane. Whether they were earned, each signer says for itself. */
export async function payFees(
  env: Env,
  tenant: OwnTenant,
  request: FeesRequest,
): Promise<Result<TransferView, ApiError>> {
  const { id } = request;
  const begun = await askAgain(() => bridgeTransferOf(env, id).view());
  if (begun !== null)
    return begun.terms.organization === tenant.organization
      ? ok(begun)
      : err(apiError('CONFLICT', 'the id is taken', { transfer_id: id }));
  return away(id, async () => {
    const start = await startOf(env, tenant, request);
    return start.ok ? ok(await askAgain(() => bridgeTransferOf(env, id).begin(start.value))) : start;
  });
}

/** An operator lets a payout of fees go on. Null where there is none that waits for it. */
export function approveFees(env: Pick<Env, 'BRIDGE_TRANSFER'>, transfer: string): Promise<TransferView | null> {
  return askAgain(() => bridgeTransferOf(env, transfer).approveFees());
}

/**
 * Has signers count fees of an organization's transfers again, so many at a time: what they have counted they count no second time.
 *
 * @param after the id that the last call has ended with; null for the first
 * @returns that of this one; null where none is left
 */
export async function recountFees(
  env: Pick<Env, 'DB' | 'BRIDGE_TRANSFER'>,
  organization: string,
  after: string | null,
): Promise<string | null> {
  const paid = await listPaid(database(env.DB), organization, { after, limit: RECOUNTED_MAX });
  await Promise.all(paid.map(({ id }) => askAgain(() => bridgeTransferOf(env, id).tellAgain())));
  return paid.length < RECOUNTED_MAX ? null : (paid.at(-1)?.id ?? null);
}

async function away<Value>(id: string, ask: () => Promise<Result<Value, ApiError>>): Promise<Result<Value, ApiError>> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ChainAway)
      return err(apiError('SERVICE_UNAVAILABLE', 'a chain does not answer now', { transfer_id: id }));
    throw error;
  }
}

/** A lane whose fees can be paid out, and what of them is there. */
async function feesAt(env: Env, tenant: OwnTenant, { id, asset: symbol, chain }: Omit<FeesRequest, 'amount'>) {
  const db = database(env.DB);
  const { organization } = tenant;
  const strangers = signersRefusal(env, tenant);
  if (strangers !== null) return err(strangers);
  // Signers go by what held when it began, which its id says.
  const begunAt = createdAtOf(id);
  const settings = await findBridgeOrganization(db, organization, begunAt);
  if (settings === null) return err(apiError('CONFLICT', 'the tenant is not set up for transfers yet'));
  const asset = await findAssetBySymbol(db, symbol);
  if (asset === null) return err(apiError('ASSET_NOT_FOUND', 'no such asset'));
  const vault = await findVault(db, { organization, origin: chain, asset: asset.id, chain }, begunAt);
  if (vault === null || vault.from > begunAt)
    return err(apiError('NOT_FOUND', 'the tenant does not have this asset there', { field: 'chain', chain }));
  const { place } = vault;
  if (!earnsFees(place))
    return err(
      apiError(
        'CONFLICT',
        'signers cannot know what fees are left there: its chain, or its provider, takes its own out of the vault',
        {
          reason: 'fees_unknown',
          chain,
        },
      ),
    );
  if (!isVaultOf(tenant.signingMode, place))
    return err(apiError('CONFLICT', 'the vault there is not one of the tenant’s signing mode', { chain }));
  const lane = laneTermsOf(settings.laneTerms, { origin: chain, asset: asset.symbol });
  if (lane?.feesTo === undefined)
    return err(
      apiError('CONFLICT', 'operators have not stated yet where the fees of this lane go', {
        reason: 'no_address',
        chain,
      }),
    );
  const chains = chainsOf(env);
  const address = await chains.addressOf(chain, place.network, lane.feesTo);
  if (address === null || (await chains.payeeFault(place, address)) !== null)
    return err(
      apiError('CONFLICT', 'nobody could use what comes to the address that is stated', { reason: 'address' }),
    );
  const { scale } = asset;
  const terms = (amount: number): TransferTerms => ({
    id,
    organization,
    asset: asset.symbol,
    source: { kind: 'account', account: FEES_ACCOUNT },
    destination: { kind: 'chain', chain, address },
    amountIn: String(amount),
    amountOut: String((BigInt(amount) * 10n ** BigInt(place.decimals)) / 10n ** BigInt(scale)),
    amount,
    fee: 0,
    expiresAt: begunAt + APPROVAL_MS_MAX,
  });
  // Of so much that both the ledger and the vault can say it.
  const smallest = 10 ** Math.max(0, scale - place.decimals);
  const known = await clusterOf(chains, signersOf(env, organization)).earnedFees(terms(smallest));
  if (known === null)
    return err(apiError('SERVICE_UNAVAILABLE', 'too few signers say what fees are there now', { transfer_id: id }));
  const left = BigInt(known.earned) - BigInt(known.paid);
  const available = left > 0n ? left : 0n;
  return ok({ address, ...known, available, lane, settings, asset, place, terms, smallest });
}

async function startOf(env: Env, tenant: OwnTenant, request: FeesRequest): Promise<Result<TransferStart, ApiError>> {
  const day = { organization: tenant.organization, since: Date.now() - DAY_MS, most: PAYOUTS_A_DAY_MAX };
  if ((await countFees(database(env.DB), day)) >= PAYOUTS_A_DAY_MAX)
    return err(
      apiError('CONFLICT', 'so many payouts of fees were asked for within a day', {
        reason: 'too_many',
        limit: PAYOUTS_A_DAY_MAX,
      }),
    );
  const found = await feesAt(env, tenant, request);
  if (!found.ok) return found;
  const { available, lane, settings, asset, place, terms: termsOf, smallest } = found.value;
  const { scale, symbol } = asset;
  const chains = chainsOf(env);
  const name = laneOf(request.chain, symbol);
  const { limit } = await chains.lane({ address: settings.guard, lane: name });
  const inLedger = (available * 10n ** BigInt(scale)) / 10n ** BigInt(place.decimals);
  const all = Number(inLedger < BigInt(limit) ? inLedger : BigInt(limit));
  const stated = request.amount === undefined ? ok(all - (all % smallest)) : toScaled(request.amount, scale);
  if (!stated.ok || stated.value % smallest !== 0)
    return err(invalid('amount', `has more decimals than ${symbol} has there`, { scale }));
  const amount = stated.value;
  const details = { available: String(available), decimals: place.decimals };
  if (amount <= 0 || BigInt(amount) > inLedger)
    return err(
      apiError('CONFLICT', 'so much was not earned there, or is paid out already', {
        reason: 'not_earned',
        ...details,
      }),
    );
  if (amount > limit)
    return err(
      apiError('RISK_LIMIT_EXCEEDED', 'the amount is above the daily limit', { limit: fromScaled(limit, scale) }),
    );
  const terms = termsOf(amount);
  const places = { source: null, destination: place, guard: settings.guard, scale };
  const refusal = await placesRefusal(env, terms, places);
  if (refusal !== null) return err(refusal);
  return ok({
    terms,
    place: null,
    settings: {
      source: null,
      destination: place,
      guard: settings.guard,
      lane: name,
      stake: { chainId: evmChainId(EXCHANGE_CHAIN, place.network), stake: settings.stake, wrapped: null },
      minStake: settings.minStake,
      assetId: asset.id,
      coSignFrom: settings.coSignFrom[symbol] ?? null,
      queue_ms: settings.queueMs,
      roomHeldPercent: lane.roomHeldPercent ?? ROOM_HELD_PERCENT,
      answer_ms: settings.answerMs,
      ...((await needsOperator(env, tenant)) ? { needsApproval: true as const } : {}),
    },
    hostname: tenant.hostname,
    createdAt: Date.now(),
  });
}

/** Where the venue, or the tenant's organization, asks for a second person. */
async function needsOperator(env: Env, { organization }: OwnTenant): Promise<boolean> {
  return (await needsSecond(env)) || asksForTwoOperators(database(env.DB), organization);
}

function invalid(field: string, message: string, details: Readonly<Record<string, unknown>>): ApiError {
  return apiError('VALIDATION_ERROR', `${field} ${message}`, { field, ...details });
}
