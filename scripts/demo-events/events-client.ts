import { clientToken } from '../local/session.ts';

/** An answer of the events service that is not 2xx. */
export class RefusedError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(call: string, status: number, error: { code?: string; message?: string; details?: object }) {
    super(
      `${call} answered ${status} ${error.code ?? ''}: ${error.message ?? ''} ${JSON.stringify(error.details ?? {})}`,
    );
    this.name = 'RefusedError';
    this.status = status;
    this.code = error.code ?? '';
    this.details = { ...error.details };
  }
}

/** Fields of a multipart form; bytes are sent as a JPEG file. */
export type Form = Readonly<Record<string, string | Uint8Array | readonly Uint8Array[]>>;

/** Calls the events service as a machine client; waits where the rate limit asks for it. */
export class EventsClient {
  readonly #origin: string;
  readonly #token: string;

  private constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  static async signIn(origin: string, clientId: string, clientSecret: string): Promise<EventsClient> {
    return new EventsClient(origin, await clientToken(origin, { id: clientId, secret: clientSecret }));
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#call('GET', path, () => ({}));
  }

  post<Answer>(path: string, body: object): Promise<Answer> {
    return this.#call('POST', path, () => ({
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }));
  }

  delete<Answer>(path: string): Promise<Answer> {
    return this.#call('DELETE', path, () => ({}));
  }

  upload<Answer>(path: string, form: Form): Promise<Answer> {
    return this.#call('POST', path, () => ({ body: formDataOf(form) }));
  }

  async #call<Answer>(method: string, path: string, terms: () => RequestInit): Promise<Answer> {
    for (;;) {
      const { headers, ...init } = terms();
      const response = await fetch(`${this.#origin}/events-service${path}`, {
        ...init,
        method,
        headers: { ...(headers as Record<string, string>), authorization: `Bearer ${this.#token}` },
      });
      const text = await response.text();
      if (response.status === 429) {
        await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(response.headers.get('retry-after') ?? 1)));
        continue;
      }
      const answer: unknown = text === '' ? null : JSON.parse(text);
      if (!response.ok)
        throw new RefusedError(
          `${method} ${path}`,
          response.status,
          (answer as { error?: object } | null)?.error ?? {},
        );
      return answer as Answer;
    }
  }
}

function formDataOf(form: Form): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.append(name, value);
    else
      for (const bytes of value instanceof Uint8Array ? [value] : value)
        data.append(name, new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/jpeg' }), `${name}.jpg`);
  }
  return data;
}
