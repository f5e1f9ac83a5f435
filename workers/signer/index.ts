import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { OwnSigner } from '../../durable-objects/signer/own-signer.ts';
import { type OwnSignerEnv, ownSignerSettings } from '../../durable-objects/signer/own-signer-settings.ts';
import { callOfSigners, SIGNER_CALL_BYTES_MAX } from '../../protocol/bridge/signer-calls.ts';
import { answerCall, type CallAnswer } from '../../protocol/calls/answer-call.ts';

export { OwnSigner };

/** One of the five signers of some organizations, as a Worker in an account of its own: the calls of the process, and an object in place of its folder. */
export default {
  async fetch(request: Request, env: OwnSignerEnv): Promise<Response> {
    const { status, body } = await answer(request, env);
    return Response.json(body, { status });
  },
};

async function answer(request: Request, env: OwnSignerEnv): Promise<CallAnswer> {
  let settings: ReturnType<typeof ownSignerSettings>;
  try {
    settings = ownSignerSettings(env);
  } catch (error) {
    return { status: 503, body: { error: error instanceof Error ? error.message : String(error) } };
  }
  const { token, organizations } = settings;
  const callAt = callOfSigners((organization) =>
    organizations.includes(organization) ? (env.SIGNER.getByName(organization) as HostedSigner) : null,
  );
  return answerCall(
    {
      method: request.method,
      path: new URL(request.url).pathname,
      authorization: request.headers.get('authorization') ?? '',
      body: request.body ?? noBody(),
    },
    { token, bytesMax: SIGNER_CALL_BYTES_MAX, callAt },
  );
}

async function* noBody(): AsyncIterable<Uint8Array> {}
