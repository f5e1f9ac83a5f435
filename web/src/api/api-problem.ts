import { parseJson } from './json.ts';

/** An answer that is no success, or none at all. */
export class ApiProblem extends Error {
  /** Of the API; `OFFLINE` and `NO_ANSWER` are ours. */
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** Milliseconds, from Retry-After. */
  readonly retryAfter: number | null;

  constructor(problem: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
    readonly details?: Readonly<Record<string, unknown>>;
    readonly requestId?: string | null;
    readonly retryAfter?: number | null;
  }) {
    super(problem.message);
    this.code = problem.code;
    this.status = problem.status;
    this.details = problem.details ?? {};
    this.requestId = problem.requestId ?? null;
    this.retryAfter = problem.retryAfter ?? null;
  }

  /** What was asked may have been done or not: only asking again with the same key tells. */
  get isOutcomeUnknown(): boolean {
    return this.status === 0 || this.status >= 500 || (this.status === 409 && this.details.reason === 'in_flight');
  }

  /** It was turned away before anybody looked at its key, so it says nothing of an earlier try with that key. */
  get isTurnedAway(): boolean {
    return this.status === 401 || this.status === 403 || this.status === 429;
  }
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const error = errorOf(await response.text().catch(() => ''));
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiProblem({
    code: error.code ?? `HTTP_${response.status}`,
    message: error.message ?? response.statusText,
    details: error.details ?? {},
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds * 1_000 : null,
  });
}

interface WireError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

function errorOf(text: string): WireError {
  try {
    const body = parseJson(text) as { error?: WireError | string; error_description?: string } | null;
    if (typeof body?.error === 'string') return { code: body.error, message: body.error_description ?? body.error };
    return body?.error ?? {};
  } catch {
    return {};
  }
}
