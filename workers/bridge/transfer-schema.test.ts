import { encodeFunctionData, erc20Abi } from 'viem';
import { expect, test } from 'vitest';
import type { TransferView } from '../../durable-objects/transfer/api.ts';
import { transferOnWire } from './transfer-schema.ts';

const TOKEN = `0x${'07'.repeat(20)}` as const;
const SPENDER = '0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD';

function approvalOf(calls: readonly { readonly to: string; readonly data: string }[] | undefined) {
  const account = { kind: 'account', account: 'a' } as const;
  const amounts = { amountIn: '10000000', amountOut: '9', amount: 10, fee: 1, expiresAt: 1 };
  const terms = { id: 't', organization: 'acme', asset: 'USDC', source: account, destination: account, ...amounts };
  const transfer = { state: 'awaiting_funds', funds: null, payment: null, attestedBy: [], refusedBy: [], history: [] };
  const call = {
    to: SPENDER,
    data: '0x',
    value: '0',
    approve: { token: TOKEN, spender: SPENDER, ...(calls && { calls }) },
  };
  const view = {
    terms,
    transfer: { ...transfer, until: null, expiresAt: 1 },
    createdAt: 1,
    others: [],
    waitsFor: null,
  };
  const place = { address: SPENDER, memo: null, call };
  return transferOnWire({ ...view, place } as unknown as TransferView, false).deposit?.call?.approve;
}

test('a transfer of before shows the one call that approves its amount', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [SPENDER, 10_000_000n] });
  expect(approvalOf(undefined)).toEqual({ token: TOKEN, spender: SPENDER, calls: [{ to: TOKEN, data }] });
  const known = [{ to: TOKEN, data: '0x01' }];
  expect(approvalOf(known)?.calls).toEqual(known);
});
