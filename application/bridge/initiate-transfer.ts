import { readIdentityEnds } from '../../data/accounts/identity-end.ts';
import {
  type BridgeOrganizationRow,
  type BridgeVaultRow,
  findBridgeOrganization,
  findVault,
} from '../../data/bridge/tenants.ts';
import { countAwaiting } from '../../data/bridge/transfers.ts';
import { type AssetRow, findAssetBySymbol } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import { kycStatusAt } from '../../domain/accounts/kyc-status-at.ts';
import type { DepositPlace, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { type ChainName, EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { evmChainId } from '../../domain/bridge/chains/evm/evm-chains.ts';
import { PAYEE_FAULTS, type PayeeFault } from '../../domain/bridge/chains/payees/payee-fault.ts';
import type { PayoutCost } from '../../domain/bridge/chains/payout-cost.ts';
import { sweepsDeposits } from '../../domain/bridge/chains/sweeps-deposits.ts';
import { laneOf } from '../../domain/bridge/lane.ts';
import {
  type LaneTerms,
  laneTermsOf,
  quoteTerms,
  ROOM_HELD_PERCENT,
  type UnquotedLane,
} from '../../domain/bridge/lane-terms.ts';
import { feeShareOf, type QuoteFailure, type QuoteTerms, quoteOf } from '../../domain/bridge/quote.ts';
import { type RefundWorth, refundWorth } from '../../domain/bridge/refund-rest.ts';
import type { StakePlace } from '../../domain/bridge/signing/signer-eyes.ts';
import { type Place, type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { isVaultOf } from '../../domain/bridge/vault-signing.ts';
import { createdAtOf } from '../../domain/ids/created-at-of.ts';
import { fromScaled, toScaled } from '../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { ChainAway, chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import { ledgerOf } from '../../durable-objects/ledger/api.ts';
import { bridgeTransferOf, type TransferStart, type TransferView } from '../../durable-objects/transfer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askAgain } from '../objects/ask-again.ts';
import { placesRefusal } from './agree-on-places.ts';
import { ownAccount } from './own-account.ts';
import type { Tenant } from './tenant-at.ts';
import { signersRefusal } from './tenant-signers.ts';

/** A side of a transfer as its tenant states it. */
export type StatedPlace =
  | { readonly account: string }
  | { readonly chain: ChainName; readonly address: string; readonly memo?: string | undefined };

export interface TransferRequest {
  /** UUIDv7 of the transfer: asked for again, it is the same one. */
  readonly id: string;
  /** Symbol of the ledger's asset. */
  readonly asset: string;
  readonly amount: number;
  /** The most that it may cost, in whole units; left out for whatever it costs. */
  readonly mostFee?: number | undefined;
  readonly source: StatedPlace;
  readonly destination: StatedPlace;
}

/** Transfers of an organization that wait for funds: each asks its chain again and again, and costs its tenant nothing. */
const AWAITING_MAX = 1_000;

type BridgeEnv = Pick<
  Env,
  | 'DB'
  | 'ENVIRONMENT'
  | 'BRIDGE_TRANSFER'
  | 'CHAINS'
  | 'LEDGER'
  | 'BRIDGE_SIGNER'
  | 'BRIDGE_SIGNERS'
  | 'BRIDGE_SIGNER_TOKEN'
>;

/** One side, found: where the organization has the asset there, and the place in its one form. */
interface Side {
  readonly place: Place;
  /** Null for an account. */
  readonly vault: BridgeVaultRow | null;
}

/** One side as it is written here, before its chain is asked. */
interface StoredSide {
  readonly stated: StatedPlace;
  /** Null for an account. */
  readonly vault: BridgeVaultRow | null;
  readonly isFrozen: boolean;
}

/** Begins a transfer for one of the tenant's customers. An account that it comes from is debited before this answers. */
export async function initiateTransfer(
  env: BridgeEnv,
  tenant: Tenant & { readonly organization: string },
  request: TransferRequest,
): Promise<Result<TransferView, ApiError>> {
  const { id } = request;
  const begun = await askAgain(() => bridgeTransferOf(env, id).view());
  // One that was lost before its account was debited is debited before this answers, too.
  if (begun !== null) return answerOf(tenant, await askAgain(() => bridgeTransferOf(env, id).begin(begun)));
  try {
    const start = await startOf(env, tenant, request);
    if (!start.ok) return start;
    return answerOf(tenant, await askAgain(() => bridgeTransferOf(env, id).begin(start.value)));
  } catch (error) {
    if (error instanceof ChainAway)
      return err(apiError('SERVICE_UNAVAILABLE', 'a chain does not answer now', { transfer_id: id }));
    // What was asked for is checked before: what is out of range is what operators have stated.
    if (error instanceof RangeError)
      return err(apiError('CONFLICT', 'the vault there cannot be used as it is stated', { reason: 'vault' }));
    throw error;
  }
}

/** Another organization's transfer is shown to nobody, whoever names its id. */
function answerOf({ organization }: Pick<Tenant, 'organization'>, view: TransferView): Result<TransferView, ApiError> {
  const { debitRefusal, terms } = view;
  if (terms.organization !== organization)
    return err(apiError('CONFLICT', 'the id is taken', { transfer_id: terms.id }));
  if (debitRefusal === null) return ok(view);
  const details = { transfer_id: terms.id, reason: debitRefusal };
  if (debitRefusal === 'insufficient_balance') return err(tooLittleAvailable(details));
  if (debitRefusal === 'account_frozen') return err(apiError('FORBIDDEN', 'the account is frozen', details));
  const message =
    debitRefusal === 'vault_short' ? 'by this vault not so much has come in' : 'the account cannot be debited';
  return err(apiError('CONFLICT', message, details));
}

async function startOf(
  env: BridgeEnv,
  tenant: Tenant & { readonly organization: string },
  request: TransferRequest,
): Promise<Result<TransferStart, ApiError>> {
  const db = database(env.DB);
  const { organization, hostname } = tenant;
  const strangers = signersRefusal(env, tenant);
  if (strangers !== null) return err(strangers);
  // Signers go by what held when the transfer began, which its id says.
  const begunAt = createdAtOf(request.id);
  const settings = await findBridgeOrganization(db, organization, begunAt);
  if (settings === null) return err(apiError('CONFLICT', 'the tenant is not set up for transfers yet'));
  if ('chain' in request.source && (await isFull(db, organization, settings)))
    return err(apiError('CONFLICT', 'too many transfers wait for funds', { reason: 'too_many', limit: AWAITING_MAX }));
  const origin = originOf(tenant, request);
  if (!origin.ok) return origin;
  const asset = await findAssetBySymbol(db, request.asset);
  if (asset === null || asset.status !== 'APPROVED') return err(apiError('ASSET_NOT_FOUND', 'no such asset'));
  if (!isBridgeable(asset))
    return err(
      apiError('ASSET_NOT_TRADEABLE', 'only unrestricted digital assets are bridged', { asset: asset.symbol }),
    );
  const of = { organization, origin: origin.value, asset: asset.id, begunAt };
  // What is written here comes first: no node is asked for what is refused all the same.
  const from = await storedSideOf(db, of, request.source, 'source');
  if (!from.ok) return from;
  const to = await storedSideOf(db, of, request.destination, 'destination');
  if (!to.ok) return to;
  const stored = { source: from.value, destination: to.value };
  for (const { vault } of [from.value, to.value])
    if (vault !== null && !isVaultOf(tenant.signingMode, vault.place))
      return err(
        apiError('CONFLICT', 'the vault there is not one of the tenant’s signing mode', {
          signing_mode: tenant.signingMode,
          chain: vault.chain,
        }),
      );
  const scaled = toScaled(request.amount, asset.scale);
  if (!scaled.ok)
    return err(
      invalid(
        'amount',
        scaled.error.reason === 'too_many_decimals'
          ? `has more decimals than ${asset.symbol} has`
          : 'is too large a number',
        { scale: asset.scale },
      ),
    );
  if (scaled.value <= 0) return err(invalid('amount', 'has to be above zero', {}));
  const mostFee = toScaled(request.mostFee ?? request.amount, asset.scale);
  if (!mostFee.ok || mostFee.value < 0)
    return err(invalid('most_fee', `is no amount of ${asset.symbol}`, { scale: asset.scale }));
  const decimalsOf = ({ vault }: StoredSide) => vault?.place.decimals ?? asset.scale;
  const scales = { ledger: asset.scale, source: decimalsOf(from.value), destination: decimalsOf(to.value) };
  const stated = quoteTermsOf(settings, asset, stored, null);
  if (!stated.ok) return stated;
  const roughly = quoteOf(scaled.value, stated.value, scales);
  if (!roughly.ok) return err(quoteRefusal(roughly.error, stated.value, asset));
  const tooLittle = await balanceRefusal(env, from.value, { asset: asset.id, amount: scaled.value });
  if (tooLittle !== null) return err(tooLittle);
  const source = await sideOf(env, from.value, 'source');
  if (!source.ok) return source;
  const destination = await sideOf(env, to.value, 'destination');
  if (!destination.ok) return destination;
  const paysOut = to.value.vault !== null && to.value.vault.chain !== EXCHANGE_CHAIN ? to.value.vault.place : null;
  const sweeps = from.value.vault !== null && sweepsDeposits(from.value.vault.place) ? from.value.vault.place : null;
  const costs = paysOut ?? sweeps;
  const cost = costs && (await chainsOf(env).payoutCost(costs));
  const lanesTerms = quoteTermsOf(settings, asset, stored, cost);
  if (!lanesTerms.ok) return lanesTerms;
  const quote = quoteOf(scaled.value, lanesTerms.value, scales);
  if (!quote.ok) return err(quoteRefusal(quote.error, lanesTerms.value, asset));
  if (quote.value.fee > mostFee.value) {
    const fee = { fee: fromScaled(quote.value.fee, asset.scale), most_fee: fromScaled(mostFee.value, asset.scale) };
    return err(apiError('FEE_TOO_HIGH', 'the transfer costs more than most_fee now', { field: 'most_fee', ...fee }));
  }
  const lane = laneOf(origin.value, asset.symbol);
  const { limit } = await chainsOf(env).lane({ address: settings.guard, lane });
  if (quote.value.amount > limit)
    return err(
      apiError('RISK_LIMIT_EXCEEDED', 'the amount is above the daily limit', { limit: fromScaled(limit, asset.scale) }),
    );
  const now = Date.now();
  const terms: TransferTerms = {
    id: request.id,
    organization,
    asset: asset.symbol,
    source: source.value.place,
    destination: destination.value.place,
    ...quote.value,
    expiresAt: now + settings.quoteMs,
  };
  const found = await depositPlaceOf(env, source.value, terms);
  if (!found.ok) return found;
  const place = found.value;
  const own = [place?.address ?? null, settings.guard, settings.stake];
  for (const [field, side] of [['source', source.value] as const, ['destination', destination.value] as const]) {
    const fault = isOwnAddress(side, own) ? 'own' : await payeeFaultOf(env, side);
    if (fault !== null) return err(invalid(`${field}.address`, PAYEE_FAULTS[fault], { reason: fault }));
  }
  const vaults = { source: source.value.vault?.place ?? null, destination: destination.value.vault?.place ?? null };
  const laneTerms = laneTermsOf(settings.laneTerms, { origin: origin.value, asset: asset.symbol });
  const refusal = await placesRefusal(env, terms, { ...vaults, guard: settings.guard, scale: asset.scale });
  if (refusal !== null) return err(refusal);
  return ok({
    terms,
    place,
    settings: {
      ...vaults,
      guard: settings.guard,
      lane,
      stake: stakeOf(settings, source.value, destination.value),
      minStake: settings.minStake,
      assetId: asset.id,
      coSignFrom: settings.coSignFrom[asset.symbol] ?? null,
      feeAccount: settings.feeAccount,
      feeShare: feeShareOf(quote.value, lanesTerms.value.feeBps),
      queue_ms: settings.queueMs,
      roomHeldPercent: laneTerms?.roomHeldPercent ?? ROOM_HELD_PERCENT,
      answer_ms: settings.answerMs,
      refundWorth: vaults.source && refundWorthOf(laneTerms, vaults.source, asset.scale),
    },
    hostname,
    createdAt: now,
  });
}

/** On the exchange's own chain nobody says what a coin is worth: the flat fee is for what is done there. */
function refundWorthOf(lane: LaneTerms | undefined, { chain, decimals }: Vault, scale: number): RefundWorth {
  const { coinPrice = null, flatFee = 0 } = lane ?? {};
  return refundWorth({ coinPrice: chain === EXCHANGE_CHAIN ? null : coinPrice, flatFee }, { scale, decimals });
}

/** Where signers say what they have seen: on the exchange's chain of the vault's network, of burns with their wrapped token. */
function stakeOf({ stake }: Pick<BridgeOrganizationRow, 'stake'>, source: Side, destination: Side): StakePlace {
  const places = [source.vault?.place, destination.vault?.place];
  const external = places.find((place) => place !== undefined && place.chain !== EXCHANGE_CHAIN);
  if (external === undefined) throw new Error('a transfer has one side on another chain');
  const isBurn = source.vault?.place.chain === EXCHANGE_CHAIN;
  const wrapped = isBurn ? (source.vault?.place.contract ?? null) : null;
  return { chainId: evmChainId(EXCHANGE_CHAIN, external.network), stake, wrapped };
}

async function isFull(db: Database, organization: string, { quoteMs }: BridgeOrganizationRow): Promise<boolean> {
  const since = Date.now() - quoteMs;
  return (await countAwaiting(db, { organization, since, most: AWAITING_MAX })) >= AWAITING_MAX;
}

/** Where the funds are to be paid in; null where an account is debited. */
async function depositPlaceOf(
  env: BridgeEnv,
  { vault, place }: Side,
  terms: TransferTerms,
): Promise<Result<DepositPlace | null, ApiError>> {
  if (vault === null || place.kind === 'account') return ok(null);
  const chains = chainsOf(env);
  try {
    const found = await chains.depositPlace(vault.place, termsCommitment(terms), terms.amountIn);
    if (found.call === null || found.call.approve === null) return ok(found);
    const calls = await chains.approvals(vault.place, place.address, terms.amountIn);
    return ok({ ...found, call: { ...found.call, approve: { ...found.call.approve, calls } } });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return err(invalid('amount', `cannot be paid in on ${vault.chain}`, { reason: error.message }));
  }
}

/** Whether an address is one of the bridge's: the vault's, its token's, or one of `others`, such as where the funds are to be paid in. What goes there comes to nobody. */
function isOwnAddress({ place, vault }: Side, others: readonly (string | null)[]): boolean {
  if (place.kind === 'account' || vault === null) return false;
  const own = [vault.place.contract, vault.place.token, ...others];
  return own.some((address) => address?.toLowerCase() === place.address.toLowerCase());
}

/** The same in any other form of it, and whatever else its chain has against it. */
async function payeeFaultOf(env: BridgeEnv, { place, vault }: Side): Promise<PayeeFault | null> {
  if (place.kind === 'account' || vault === null) return null;
  return chainsOf(env).payeeFault(vault.place, place.address);
}

const UNQUOTED: Readonly<Record<UnquotedLane, string>> = {
  unstated: 'operators have not stated yet what this lane takes',
  unpriced: 'the lane takes deposits alone: operators have not stated yet what a coin of its chain is worth',
};

/** What the lane takes, and what its chain asks of a payout now; null where nothing is paid out there, or that is not asked yet. */
function quoteTermsOf(
  { feeBps, laneTerms }: Pick<BridgeOrganizationRow, 'feeBps' | 'laneTerms'>,
  { symbol, scale }: Pick<AssetRow, 'symbol' | 'scale'>,
  { source, destination }: { readonly source: StoredSide; readonly destination: StoredSide },
  payout: PayoutCost | null,
): Result<QuoteTerms, ApiError> {
  const external = [source, destination].find(({ vault }) => vault !== null && vault.chain !== EXCHANGE_CHAIN);
  const vault = external?.vault?.place;
  if (vault === undefined) throw new Error('a transfer has one side on another chain');
  const lane = laneTermsOf(laneTerms, { origin: vault.chain, asset: symbol });
  const terms = quoteTerms({ feeBps, lane, scale, vault, paysOut: external === destination }, payout);
  if (terms.ok) return terms;
  return err(apiError('CONFLICT', UNQUOTED[terms.error], { chain: vault.chain, reason: terms.error }));
}

function quoteRefusal(
  reason: QuoteFailure,
  { flatFee, leastAmount }: QuoteTerms,
  { scale }: Pick<AssetRow, 'scale'>,
): ApiError {
  const least = { least_amount: fromScaled(leastAmount, scale), flat_fee: fromScaled(flatFee, scale) };
  switch (reason) {
    case 'too_fine':
      return invalid('amount', 'has more decimals than one of the chains has', {});
    case 'below_least':
      return apiError('AMOUNT_TOO_SMALL', 'amount is less than the lane takes', { field: 'amount', ...least });
    case 'nothing_left':
      return apiError('AMOUNT_TOO_SMALL', 'amount leaves nothing after the fee', { field: 'amount', ...least });
  }
}

/** The external chain of a transfer: one of its sides, and the other is here. */
function originOf(
  { chains }: Pick<Tenant, 'chains'>,
  { source, destination }: Pick<TransferRequest, 'source' | 'destination'>,
): Result<ChainName, ApiError> {
  const external = [source, destination].flatMap((place) =>
    'chain' in place && place.chain !== EXCHANGE_CHAIN ? [place.chain] : [],
  );
  const [origin] = external;
  if (origin === undefined || external.length > 1)
    return err(invalid('destination', 'and source: exactly one of both has to be on another chain', {}));
  return chains.includes(origin)
    ? ok(origin)
    : err(
        invalid(
          'chain' in source && source.chain === origin ? 'source' : 'destination',
          'is on a chain that the tenant does not serve',
          { chains },
        ),
      );
}

/** Where the organization has the asset, as it is written here. */
async function storedSideOf(
  db: Database,
  { begunAt, ...of }: Pick<BridgeVaultRow, 'organization' | 'origin' | 'asset'> & { readonly begunAt: number },
  stated: StatedPlace,
  field: 'source' | 'destination',
): Promise<Result<StoredSide, ApiError>> {
  if ('account' in stated) return accountSide(db, of.organization, stated.account, field);
  const vault = await findVault(db, { ...of, chain: stated.chain }, begunAt);
  if (vault === null || vault.from > begunAt)
    return err(apiError('NOT_FOUND', 'the tenant does not have this asset there', { field, chain: stated.chain }));
  return ok({ stated, vault, isFrozen: false });
}

/** The place as its chain takes it. */
async function sideOf(
  env: BridgeEnv,
  { stated, vault }: StoredSide,
  field: 'source' | 'destination',
): Promise<Result<Side, ApiError>> {
  if ('account' in stated) return ok({ place: { kind: 'account', account: stated.account }, vault: null });
  if (vault === null) throw new Error('a place on a chain has a vault');
  const address = await chainsOf(env).addressOf(stated.chain, vault.place.network, stated.address);
  if (address === null)
    return err(invalid(`${field}.address`, `is no address of ${stated.chain}`, { network: vault.place.network }));
  await chainsOf(env).requireVault(vault.place);
  const { chain, memo } = stated;
  const payee = { address, ...(memo !== undefined && { memo }) };
  const fault = await chainsOf(env).payeeMemoFault(vault.place, payee);
  if (fault !== null) return err(invalid(`${field}.memo`, fault.reason, { chain, reason: fault.kind }));
  return ok({ place: { kind: 'chain', chain, ...payee }, vault });
}

/** A customer is whoever has an account of the tenant's organization, and is known. */
async function accountSide(
  db: Database,
  organization: string,
  id: string,
  field: string,
): Promise<Result<StoredSide, ApiError>> {
  const account = await ownAccount(db, { organization, id, field });
  if (!account.ok) return account;
  const identityEndsAt = (await readIdentityEnds(db, [id])).get(id);
  const kycStatus = kycStatusAt({ ...account.value, identityEndsAt }, Date.now());
  if (kycStatus !== 'completed')
    return err(apiError('FORBIDDEN', 'the customer is not verified yet', { field, kyc_status: kycStatus }));
  return ok({ stated: { account: id }, vault: null, isFrozen: account.value.frozen });
}

/** Why the ledger would not debit an account now: it says so at once, before nodes are asked. Of a frozen one, and for good, the debit itself says it. */
async function balanceRefusal(
  env: BridgeEnv,
  { stated, isFrozen }: StoredSide,
  { asset, amount }: { readonly asset: string; readonly amount: number },
): Promise<ApiError | null> {
  if (!('account' in stated) || isFrozen) return null;
  const [available = 0] = await askAgain(() => ledgerOf(env).available([stated.account], asset));
  return available < amount ? tooLittleAvailable({ reason: 'insufficient_balance' }) : null;
}

function tooLittleAvailable(details: Readonly<Record<string, unknown>>): ApiError {
  return apiError('INSUFFICIENT_BALANCE', 'the account has too little available', details);
}

function isBridgeable(asset: AssetRow): boolean {
  const { category, regulation, accreditationType, tracksLots, rail } = asset;
  return (
    category === 'crypto' && rail === 'digital' && regulation === null && accreditationType === null && !tracksLots
  );
}

function invalid(field: string, message: string, details: Readonly<Record<string, unknown>>): ApiError {
  return apiError('VALIDATION_ERROR', `${field} ${message}`, { field, ...details });
}
