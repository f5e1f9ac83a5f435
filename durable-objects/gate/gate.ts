import { DurableObject } from 'cloudflare:workers';
import { database } from '../../data/database.ts';
import { noteKeyUse } from '../../data/identity/api-keys.ts';
import { findKeyHolder, findRevoked, findUserFacts, type UserFacts } from '../../data/identity/gate-facts.ts';
import { accreditationAt } from '../../domain/accreditation/accreditation-at.ts';
import type { ShownPrices } from '../../domain/broker/source-budget.ts';
import { hasTokenEnded } from '../../domain/identity/has-token-ended.ts';
import { pathsAsSigned } from '../../domain/identity/signed-paths.ts';
import { SIGNATURE_WINDOW_MS, type SignedRequest, signedText } from '../../domain/identity/signed-text.ts';
import { isAddressAllowed, rateSubjectsOf } from '../../domain/limits/address.ts';
import { AddressWindows } from '../../domain/limits/address-windows.ts';
import { CONNECTION_LEASE_MS, ConnectionLeases } from '../../domain/limits/connection-leases.ts';
import { DEFAULT_RATE_LIMITS, isPrivateToo, limitOfKey, type RateBucket } from '../../domain/limits/rate-bucket.ts';
import {
  type DrawnInPart,
  drawInPart,
  drawTogether,
  type LimitedWindow,
  RateWindows,
} from '../../domain/limits/rate-windows.ts';
import { SlidingWindow } from '../../domain/limits/sliding-window.ts';
import { windowsOfCancels } from '../../domain/limits/sure-part.ts';
import { connectionsMaxOf, isAddressGate } from '../../protocol/object-names/gate-name.ts';
import type {
  AddressAnswer,
  AddressDraw,
  CredentialHolder,
  CredentialRefusal,
  Draw,
  GateAnswer,
  GateApi,
  KeyAttempt,
  KeyProof,
  KeySession,
  TokenClaims,
  Watcher,
} from './api.ts';
import { HeldKeys } from './held-keys.ts';
import { KeyHolders } from './key-holders.ts';
import { isSecret, isSessionToken, isSignature, sessionToken } from './key-secret.ts';
import { KeyUses } from './key-uses.ts';
import { Loaded } from './loaded.ts';
import { isInForce, type LoadedKey, loadKey } from './loaded-key.ts';
import { PendingProofs } from './pending-proofs.ts';
import { RevocationMemory } from './revocation-memory.ts';
import { SeenSignatures } from './seen-signatures.ts';
import { Wakefulness } from './wakefulness.ts';
import { WATCH_MS, Watchers } from './watchers.ts';

/**
 * Verifies the credentials of one user and counts what they draw, each for itself and all together (docs/design/identity.md#the-gate). Windows and facts live in
 * memory. The only storage on the path of an order is that of used signatures.
 */
export class Gate extends DurableObject<Env> implements GateApi {
  /** Of the user's account. */
  readonly #windows = new RateWindows();
  /** Of those who are signed in for it, in so far as they share nothing with its keys. */
  readonly #signedIn = new RateWindows();
  /** Of the addresses whose Gate this is. */
  readonly #addresses = new AddressWindows();
  readonly #pending = new PendingProofs();
  readonly #holders = new KeyHolders((keyId) => findKeyHolder(database(this.env.DB), keyId));
  readonly #sourceCalls: Readonly<Record<ShownPrices, SlidingWindow>> = {
    quotes: new SlidingWindow(),
    charts: new SlidingWindow(),
    previews: new SlidingWindow(),
    closes: new SlidingWindow(),
  };
  readonly #awake = new Wakefulness();
  readonly #connections = new ConnectionLeases(connectionsMaxOf(this.ctx.id.name ?? ''));
  readonly #watchers = new Watchers();
  readonly #signatures = new SeenSignatures(this.ctx.storage.sql);
  readonly #revocations = new RevocationMemory((ids) => findRevoked(database(this.env.DB), ids));
  readonly #uses = new KeyUses((keyId, day) => noteKeyUse(database(this.env.DB), keyId, day));
  readonly #keys = new HeldKeys((keyId) => loadKey(this.env, keyId));
  #user: Loaded<UserFacts | null> | null = null;

  async admitKey({ keyId, proof }: KeyAttempt, draw: Draw): Promise<GateAnswer> {
    const key = await this.#keys.get(keyId, Date.now());
    if (key === null) return refused('unknown_key');
    const refusal = await refusalOfKey(key, proof, draw.clientAddress);
    if (refusal !== null) return refused(refusal);
    // From here to the answer nothing waits: of replays at the same time one passes.
    if (proof.type === 'signature' && this.#signatures.has(proof.signature)) return refused('replayed');
    const part = this.#draw(draw, this.#windowsOf(key, draw));
    if (part.drawn.type === 'limited') return part.drawn;
    if (isPrivateToo(draw.bucket))
      drawInPart(Date.now(), draw.cost, this.#windowsOf(key, { ...draw, bucket: 'private' }));
    if (proof.type === 'signature') this.#signatures.add(proof.signature, Number(proof.request.timestamp), Date.now());
    const noted = this.#uses.note(keyId, key.usedOn, Date.now());
    if (noted !== null) this.ctx.waitUntil(noted);
    return admitted(key.principal, draw, part);
  }

  async admitToken(token: TokenClaims, draw: Draw): Promise<GateAnswer> {
    const user = await this.#userOf(token);
    const refusal = await this.#refusalOfToken(token, user);
    if (refusal !== null) return refused(refusal);
    const account = this.#accountWindow(draw.bucket);
    const own = { window: this.#signedIn.of(draw.bucket), limit: account.limit };
    const part = this.#draw(draw, draw.bucket === 'cancels' ? windowsOf(draw, own, account) : [account]);
    if (part.drawn.type === 'limited') return part.drawn;
    if (isPrivateToo(draw.bucket)) drawInPart(Date.now(), draw.cost, [this.#accountWindow('private')]);
    return admitted(principalOfToken(token, user), draw, part);
  }

  async checkToken(token: TokenClaims): Promise<CredentialRefusal | null> {
    return this.#refusalOfToken(token, await this.#userOf(token));
  }

  async admitAddress(draw: AddressDraw): Promise<AddressAnswer> {
    const now = Date.now();
    const { drawn } = this.#draw(draw, this.#addresses.of(draw.clientAddress, draw.bucket, now));
    if (drawn.type === 'limited') {
      const mayFitSoon = this.#pending.areSome(now);
      return { ...drawn, retryAfter: mayFitSoon ? 1 : drawn.retryAfter, mayFitSoon };
    }
    if (draw.isForProof) this.#pending.begin(now);
    const keyHolder = draw.keyId === undefined ? null : await this.#holders.find(draw.keyId);
    if (draw.keyId !== undefined && keyHolder === null) this.#pending.end();
    return { ...drawn, keyHolder };
  }

  async giveBack(draw: AddressDraw, drawnAt: number): Promise<void> {
    this.#pending.end();
    for (const { window } of this.#addresses.of(draw.clientAddress, draw.bucket, Date.now())) window.giveBack(drawnAt);
  }

  async invalidate(): Promise<Watcher[]> {
    this.#keys.drop();
    this.#user?.drop();
    this.#revocations.clear();
    return this.#watchers.list(Date.now());
  }

  async openSession(keyId: string): Promise<KeySession | null> {
    const key = await this.#keys.get(keyId, Date.now());
    return key !== null && isInForce(key, Date.now()) ? sessionToken(key.secret, keyId, Date.now()) : null;
  }

  async watchKey(keyId: string, watcher: Watcher): Promise<CredentialHolder | null> {
    this.#watch(watcher);
    const key = await this.#keys.get(keyId, Date.now());
    return key !== null && isInForce(key, Date.now()) ? key.principal : null;
  }

  async watchToken(token: TokenClaims, watcher: Watcher): Promise<CredentialHolder | null> {
    this.#watch(watcher);
    const user = await this.#userOf(token);
    return (await this.#refusalOfToken(token, user)) === null ? principalOfToken(token, user) : null;
  }

  async acquireConnection(connectionId: string, clientAddress = ''): Promise<boolean> {
    this.#awake.for(CONNECTION_LEASE_MS);
    const subjects = isAddressGate(this.ctx.id.name ?? '') ? rateSubjectsOf(clientAddress) : undefined;
    return this.#connections.acquire(connectionId, Date.now(), subjects);
  }

  async releaseConnection(connectionId: string): Promise<void> {
    this.#connections.release(connectionId);
  }

  async drawSourceCall(shown: ShownPrices, callsMax: number): Promise<number | null> {
    this.#awake.for(SOURCE_WINDOW_MS);
    const drawn = this.#sourceCalls[shown].draw(Date.now(), 1, { limit: callsMax, windowMs: SOURCE_WINDOW_MS });
    return drawn.type === 'limited' ? drawn.retryAfter * 1_000 : null;
  }

  /** Before the credential is looked at: who is added while it changes is told of the change. */
  #watch(watcher: Watcher): void {
    this.#awake.for(WATCH_MS);
    this.#watchers.add(watcher, Date.now());
  }

  #userOf(token: TokenClaims): Promise<UserFacts | null> | UserFacts | null {
    this.#user ??= new Loaded(() => findUserFacts(database(this.env.DB), token.subject));
    return this.#user.get(Date.now());
  }

  async #refusalOfToken(token: TokenClaims, user: UserFacts | null): Promise<CredentialRefusal | null> {
    if (user !== null && user.owner !== token.owner) return 'owner_mismatch';
    if (user !== null && hasTokenEnded(token.issuedAt, user.tokensValidAfter)) return 'revoked';
    return (await this.#revocations.isRevoked(token.revocationIds, Date.now())) ? 'revoked' : null;
  }

  #accountWindow(bucket: RateBucket): LimitedWindow {
    return { window: this.#windows.of(bucket), limit: DEFAULT_RATE_LIMITS[bucket] };
  }

  /** A key draws on its own window and on its account's. What an operator has given it beyond the default is its own, beside them. */
  #windowsOf({ windows, rateLimits }: HeldKey, draw: Draw): Windows {
    const { bucket } = draw;
    const account = this.#accountWindow(bucket);
    const { limit: byDefault, windowMs } = account.limit;
    const limit = limitOfKey(rateLimits, bucket);
    const own = { window: windows.of(bucket), limit: { limit, windowMs } };
    return limit > byDefault ? [own] : windowsOf(draw, own, account);
  }

  #draw({ bucket, cost, isDivisible = false }: Draw, windows: Windows): DrawnInPart {
    this.#awake.for(DEFAULT_RATE_LIMITS[bucket].windowMs);
    if (isDivisible) return drawInPart(Date.now(), cost, windows);
    return { drawn: drawTogether(Date.now(), cost, windows), beyond: null };
  }
}

/** Sources count their calls by the minute. */
const SOURCE_WINDOW_MS = 60_000;

type HeldKey = NonNullable<Awaited<ReturnType<HeldKeys['get']>>>;
type Windows = Parameters<typeof drawTogether>[2];

/** Of a credential whose account has others. */
function windowsOf(draw: Draw, own: LimitedWindow, account: LimitedWindow): Windows {
  const { bucket, cost, isDivisible = false } = draw;
  return bucket === 'cancels' ? windowsOfCancels(Date.now(), { cost, isDivisible }, own, account) : [own, account];
}

async function refusalOfKey(key: LoadedKey, proof: KeyProof, clientAddress: string): Promise<CredentialRefusal | null> {
  const refusal = await refusalOfProof(key, proof);
  if (refusal !== null) return refusal;
  if (!key.active) return 'revoked';
  if (!isInForce(key, Date.now())) return 'expired';
  if (key.ipAllowlist !== null && !isAddressAllowed(clientAddress, key.ipAllowlist)) return 'address_not_allowed';
  return null;
}

async function refusalOfProof({ secret, principal }: LoadedKey, proof: KeyProof): Promise<CredentialRefusal | null> {
  switch (proof.type) {
    case 'secret':
      return isSecret(secret, proof.secret) ? null : 'wrong_secret';
    case 'connection':
      return principal.secretVersion === proof.secretVersion ? null : 'wrong_secret';
    case 'session':
      return (await isSessionToken(secret, principal.keyId ?? '', proof.token, Date.now())) ? null : 'session_ended';
    case 'bearer':
      return principal.userId === proof.subject && principal.owner === proof.owner ? null : 'key_of_another';
    case 'signature':
      if (Math.abs(Date.now() - Number(proof.request.timestamp)) > SIGNATURE_WINDOW_MS)
        return 'timestamp_outside_window';
      return (await signs(secret, proof.signature, proof.request)) ? null : 'wrong_signature';
  }
}

async function signs(secret: LoadedKey['secret'], signature: string, request: SignedRequest): Promise<boolean> {
  for (const path of pathsAsSigned(request.path))
    if (await isSignature(secret, signature, signedText({ ...request, path }))) return true;
  return false;
}

function refused(reason: CredentialRefusal): GateAnswer {
  return { type: 'refused', reason };
}

function admitted(principal: CredentialHolder, draw: Draw, { drawn, beyond }: DrawnInPart): GateAnswer {
  // What the Gate has kept of an account is of before: a verification may have ended since.
  const facts = principal.facts === null ? null : accreditationAt(principal.facts, Date.now());
  const { clientAddress } = draw;
  return { type: 'admitted', principal: { ...principal, facts, clientAddress }, rate: drawn.rate, beyond };
}

/** A bearer acts for its own account with both scopes (X-EAU-02); keys alone are narrowed. */
function principalOfToken(token: TokenClaims, user: UserFacts | null): CredentialHolder {
  return {
    kind: token.machine ? 'client' : 'user',
    userId: token.subject,
    owner: token.owner,
    roles: user?.roles ?? [],
    scopes: ['read', 'trade'],
    keyId: null,
    tokenIssuedAt: token.issuedAt,
    secretVersion: null,
    positionLimits: null,
    dailyLossMax: null,
    orderSizeLimits: null,
    dailyNotionalMax: null,
    symbols: null,
    facts: user?.account ?? null,
  };
}
