import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { providerOf } from '../../../application/accreditation/provider-of.ts';
import { requestVerification } from '../../../application/accreditation/request-verification.ts';
import { sessionOfBrowser } from '../../../application/identity/authorization/sign-in-browser.ts';
import { attestAccreditation, standingEnd } from '../../../application/operator/accreditation.ts';
import { type AccountRow, findAccountOfUser } from '../../../data/accounts/accounts.ts';
import { listAccreditationRecords } from '../../../data/accounts/accreditation-records.ts';
import { listVerifications } from '../../../data/accounts/accreditation-verifications.ts';
import { readIdentityEnds } from '../../../data/accounts/identity-end.ts';
import { database } from '../../../data/database.ts';
import { kycStatusAt } from '../../../domain/accounts/kyc-status-at.ts';
import { accreditationEndsAt } from '../../../domain/accreditation/accreditation-record.ts';
import { EVIDENCE_KINDS, type EvidenceKind } from '../../../domain/accreditation/evidence.ts';
import { mayBeAccredited } from '../../../domain/accreditation/may-be-accredited.ts';
import { stateAt } from '../../../domain/accreditation/verification.ts';
import { QUERY_LENGTH_MAX } from '../../../domain/identity/authorization-request.ts';
import type { Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerError, answerPage } from '../authorize/answer-page.ts';
import { cookieOf } from '../authorize/cookies.ts';
import { queryOf } from '../authorize/read-request.ts';
import { type AccreditationWrong, accreditationPage } from './accreditation-pages.ts';
import type { AccreditationTexts, Standing } from './accreditation-texts.ts';
import { askToSignInFirst, formTerms, isOurForm, notify, seeOther } from './onboarding-forms.ts';
import { ONBOARDING_PAGE } from './onboarding-page.ts';

const ACCREDITATION_PATH = '/accreditation';

const Form = z.object({
  form_token: z.string().max(100).default(''),
  request: z.uuid().default(''),
  step: z.enum(['certify', 'verify']),
  /** The version of the text that was read. */
  certified: z.string().max(20).optional(),
  evidence: z.enum(EVIDENCE_KINDS).default('income'),
});

type Fields = z.infer<typeof Form>;

/** GET and POST /iam/accreditation: whether the person of the browser's session is an accredited investor (docs/design/onboarding.md#accreditation). */
export function accreditationPageRoutes(iam: Profile): void {
  const responses = { 200: { description: 'A page' } };
  registerRoute(
    iam,
    ONBOARDING_PAGE,
    createRoute({ method: 'get', path: ACCREDITATION_PATH, hide: true, responses }),
    async (c) => {
      const begun = await beginOf(c);
      return begun.type === 'page' ? begun.page : show(c, begun.account);
    },
  );
  registerRoute(
    iam,
    ONBOARDING_PAGE,
    createRoute({
      method: 'post',
      path: ACCREDITATION_PATH,
      hide: true,
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses,
    }),
    async (c) => {
      const fields = c.req.valid('form');
      if (!(await isOurForm(c, 'accreditation', fields.form_token, fields.request))) return answerError(c, 'form', 403);
      const begun = await beginOf(c);
      if (begun.type === 'page') return begun.page;
      // As by the API: nothing is asked for before it is known who asks.
      return mayBeAccredited(begun.account) ? take(c, begun, fields) : seeOther(c, 'accreditation');
    },
  );
}

interface Asking {
  readonly userId: string;
  readonly account: AccountRow;
}

type Begun =
  | { readonly type: 'page'; readonly page: Promise<FailureResponse> }
  | ({ readonly type: 'account' } & Asking);

/** The account of who is signed in here, with its identity as it counts now; a page for anybody else. */
async function beginOf(c: AppContext): Promise<Begun> {
  if (queryOf(c).length > QUERY_LENGTH_MAX) return { type: 'page', page: answerError(c, 'request', 400) };
  const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
  if (session === null) return { type: 'page', page: askToSignInFirst(c) };
  const db = database(c.env.DB);
  const account = await findAccountOfUser(db, session.userId);
  if (account === null || account.boundary) return { type: 'page', page: notify(c, 'noAccount', 200) };
  const identityEndsAt = (await readIdentityEnds(db, [account.id])).get(account.id);
  const kycStatus = kycStatusAt({ ...account, identityEndsAt }, Date.now());
  return { type: 'account', userId: session.userId, account: { ...account, kycStatus } };
}

/**
 * @param wrong what is wrong with a form that was sent
 * @param sent its id and what was chosen: sent again it asks for the same once more, not for something else
 */
async function show(
  c: AppContext,
  account: AccountRow,
  wrong: AccreditationWrong = {},
  sent: { readonly request: string; readonly evidence: EvidenceKind } = { request: uuidv7(), evidence: 'income' },
): Promise<FailureResponse> {
  const db = database(c.env.DB);
  const now = Date.now();
  const [records, ended, [last]] = await Promise.all([
    listAccreditationRecords(db, account.id),
    standingEnd(c.env, account.id),
    listVerifications(db, account.id),
  ]);
  const { accreditationType: type } = account;
  const standing = standingOf(account);
  const isStanding = (standing === 'self' || standing === 'verified') && type !== null;
  const shown = accreditationPage({
    ...(await formTerms(c, 'accreditation', sent.request)),
    home: c.env.CONSOLE_ORIGIN,
    request: sent.request,
    standing,
    until: isStanding ? accreditationEndsAt(records, type, now) : null,
    ended,
    last: last === undefined ? null : { ...last, state: stateAt(last, now) },
    mayAsk: mayBeAccredited(account),
    isAnybodyVerifying: providerOf(c.env) !== null,
    chosen: sent.evidence,
    wrong,
  });
  return answerPage(c, shown, { status: Object.keys(wrong).length > 0 ? 400 : 200 });
}

/** By the account's facts, which decide what it may buy. */
function standingOf({ accreditationStatus, accreditationType }: AccountRow): Standing {
  if (accreditationStatus === 'expired') return 'expired';
  if (accreditationStatus !== 'completed') return 'none';
  return accreditationType === '506c' ? 'verified' : 'self';
}

async function take(c: AppContext, asking: Asking, fields: Fields): Promise<FailureResponse> {
  const { account } = asking;
  const { step, certified } = fields;
  const field = step === 'certify' ? 'certified' : 'evidence';
  if (step === 'certify' && certified === undefined) return show(c, account, { certified: 'notTicked' }, fields);
  const outcome = await askFor(c, asking, fields);
  if (outcome.ok) return seeOther(c, 'accreditation');
  const problem = problemOf(outcome.error);
  return problem === null ? seeOther(c, 'accreditation') : show(c, account, { [field]: problem }, fields);
}

/** What the API does, by the same services, under the id of the form. */
function askFor(
  c: AppContext,
  { userId, account: { id: account, owner } }: Asking,
  { step, request, certified = '', evidence: evidenceKind }: Fields,
): Promise<Result<unknown, ApiError>> {
  const action = { id: request, actor: userId, requestId: c.get('requestId') };
  return step === 'certify'
    ? attestAccreditation(c.env, account, certified, action)
    : requestVerification(c.env, { account, owner, evidenceKind }, action);
}

/** What the page says beside the form; null for what it shows by itself: a request that is open, or what an operator has ended. */
function problemOf({ code, details }: ApiError): keyof AccreditationTexts['problems'] | null {
  if (details.reason === 'open_request' || details.reason === 'ended_by_operator') return null;
  if (details.reason === 'too_many') return 'tooMany';
  return code === 'CONFLICT' ? 'changed' : 'away';
}
