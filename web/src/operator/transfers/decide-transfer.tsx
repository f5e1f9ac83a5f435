import { dataOf, exchange, sent } from '../../api/client.ts';
import { readInput } from '../../numbers/read-input.ts';
import { NumberField } from '../../parts/field.tsx';
import { FactList } from '../../parts/panel.tsx';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import type { TransferRequest } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { decisionsOf, type TransferDecision } from './transfer-words.ts';

interface DecideTransferProps {
  readonly request: TransferRequest;
  readonly decision: TransferDecision;
  readonly onClose: () => void;
}

export function DecideTransfer({ request, decision, onClose }: DecideTransferProps) {
  const { o, t, price, locale } = useOperatorWords();
  const draft = useFormDraft(`transfer ${decision} ${request.id}`, { cost: '' });
  const { cost } = draft.form;
  const facts = { amount: price(request.amount), symbol: request.symbol, name: request.name ?? request.accountId };
  // What was paid in and is no money has cost something: its lots say what.
  const asksCost = decision === 'execute' && request.type === 'deposit' && request.symbol !== 'USD';
  const paid = cost === '' ? '0' : readInput(cost, locale);
  const send = async (reason: string, header: ActHeaders) => {
    const call = { params: { path: { id: request.id }, header }, body: { reason, cost: sent(paid ?? '0') } };
    if (decision === 'approve') await dataOf(exchange.POST('/v1/operator/transfer-requests/{id}/approve', call));
    else if (decision === 'reject') await dataOf(exchange.POST('/v1/operator/transfer-requests/{id}/reject', call));
    else await dataOf(exchange.POST('/v1/operator/transfer-requests/{id}/execute', call));
    return o(`transfer_said.${decision}`, facts);
  };
  return (
    <ActDialog
      title={o(`transfer_ask.${decision}_${request.type}`, facts)}
      act={o(`transfer_act.${decision}`)}
      name={`transfer ${decision} ${request.id}`}
      draft={draft}
      danger={decision === 'reject'}
      blocked={paid === null}
      changed={!decisionsOf(request.status).includes(decision)}
      send={send}
      onClose={onClose}
    >
      <p>{o(`transfer_happens.${decision}_${request.type}`, facts)}</p>
      <FactList
        rows={[
          [o('column.person'), facts.name],
          [o('transfer.amount'), `${facts.amount} ${request.symbol}`],
          request.type === 'deposit' ? [o('transfer.payment_reference'), request.paymentReference] : null,
          [o(`transfer.reference_${request.type}`), request.reference ?? '–'],
        ]}
      />
      {asksCost && (
        <NumberField
          label={o('transfer.cost')}
          hint={o('transfer.cost_hint')}
          name="cost"
          unit="USD"
          value={cost}
          error={paid === null ? t('flaw.not_positive') : null}
          onChange={(value) => draft.change({ cost: value })}
        />
      )}
    </ActDialog>
  );
}
