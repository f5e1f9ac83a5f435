import { callConsole } from '../../api/client.ts';
import { askedCall } from './asked-call.ts';

interface AskedOnWire {
  readonly data: { readonly call: string; readonly body: unknown };
}

/**
 * Makes a call that another operator has approved, as it was asked for. Its body is parsed as the API has parsed it, and not by the client of pages, which would
 * make text of its numbers: the approval is good for this very body.
 */
export async function makeApprovedCall(approval: string, key: string): Promise<void> {
  const read = await callConsole(new Request(`/console/call/exchange/v1/operator/approvals/${approval}`));
  const { data } = JSON.parse(await read.text()) as AskedOnWire;
  const { method, path } = askedCall(data.call);
  await callConsole(
    new Request(`/console/call/exchange${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'idempotency-key': key, 'x-operator-approval': approval },
      body: JSON.stringify(data.body),
    }),
  );
}
